import { parseIpv4, parseIpv6 } from '../kit/ip-address.ts';
import { ownField } from '../kit/own-field.ts';

/** Host and port of a `Host` header, an absolute target, an `Origin` or a `Referer`, in canonical form. */
export interface Authority {
  readonly kind: 'ipv4' | 'ipv6' | 'name';
  /** Lower case, without a trailing dot; an IPv6 address as its octets and zone. */
  readonly host: string;
  /** 1 to 65535; null if none is given. */
  readonly port: number | null;
}

const BRACKETED = /^\[([0-9a-f:.]+)(?:%(?:25)?([\w.~-]+))?\]$/i;
const LABEL = /^[a-z0-9_-]{1,63}$/;

function parsePort(text: string): number | null | undefined {
  if (text === '') return null;
  const port = Number(text);
  return /^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535 ? port : undefined;
}

function parseHost(text: string): Pick<Authority, 'kind' | 'host'> | null {
  if (text.startsWith('[')) {
    const [, address = '', zone] = BRACKETED.exec(text) ?? [];
    const octets = parseIpv6(address);
    return octets === null
      ? null
      : { kind: 'ipv6', host: `[${octets.join('.')}${zone === undefined ? '' : `%${zone}`}]` };
  }
  const host = text.toLowerCase().replace(/\.$/, '');
  if (parseIpv4(host) !== null) return { kind: 'ipv4', host };
  return host.length <= 253 && host.split('.').every((label) => LABEL.test(label)) ? { kind: 'name', host } : null;
}

/** `host[:port]` (RFC 3986, section 3.2, without user information), or null for anything else. */
export function parseAuthority(text: string): Authority | null {
  const [, hostText = '', portText = ''] = /^(\[[^\]]*\]|[^:[\]]*)(?::(.*))?$/.exec(text) ?? [];
  const host = parseHost(hostText);
  const port = parsePort(portText);
  return host === null || port === undefined ? null : { ...host, port };
}

/** True if two authorities are the same; `defaultPort` replaces a missing port, null if the scheme has none. */
export const isSameAuthority = (one: Authority, other: Authority, defaultPort: number | null): boolean =>
  one.kind === other.kind && one.host === other.host && (one.port ?? defaultPort) === (other.port ?? defaultPort);

const DEFAULT_PORTS: Readonly<Record<string, number>> = { http: 80, ws: 80, https: 443, wss: 443 };

/**
 * Authority and default port of an absolute URL such as an `Origin` or a `Referer`; null for `null` and anything else.
 */
export function parseOrigin(
  text: string,
): { readonly authority: Authority; readonly scheme: string; readonly defaultPort: number | null } | null {
  const [, scheme = '', authorityText = ''] =
    /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(?:[/?#][\x21-\x7e\x80-\xff]*)?$/i.exec(text) ?? [];
  const authority = parseAuthority(authorityText);
  return authority === null
    ? null
    : { authority, scheme: scheme.toLowerCase(), defaultPort: ownField(DEFAULT_PORTS, scheme.toLowerCase()) ?? null };
}
