import { parseAuthority } from '#machines/http/authority.ts';
import { LOOPBACK, peerName } from '#machines/kit/peer-name.ts';

/** Headers by which a proxy says that it passes a request on. */
const ofProxy = /^(?:forwarded|x-forwarded-.*|x-real-ip|via)$/i;

/** The names under which a program on this machine addresses the panel; an IPv6 address as its octets. */
const ownHosts: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1]']);

/**
 * True if a request comes from a program on this machine, which is not asked in Hardened mode. A page of another site
 * whose name was rebound to the panel has another Host; a proxy on this machine names itself. `rawHeaders` are
 * alternating names and values.
 */
export function isTrusted(peer: string, rawHeaders: readonly string[]): boolean {
  if (peerName(peer).name !== LOOPBACK) return false;
  const hosts: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (ofProxy.test(name)) return false;
    if (name.toLowerCase() === 'host') hosts.push(rawHeaders[index + 1] ?? '');
  }
  const [host] = hosts;
  const named = hosts.length === 1 && host !== undefined ? parseAuthority(host.trim()) : null;
  return named !== null && ownHosts.has(named.host);
}
