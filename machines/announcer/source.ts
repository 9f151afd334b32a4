import { isOwnAddress } from '../kit/own-address.ts';
import { ok, refuse, type Result } from '../kit/result.ts';
import type { AnnouncementRefusal, Hop } from './events.ts';

/** Most redirects that are followed for one announcement. */
export const MOST_REDIRECTS = 10;

type Refusal<R extends AnnouncementRefusal> = Result<Hop, R>;

function parse(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** The first request for an address: http and https only. */
export function firstHop(href: string): Refusal<'bad-address'> {
  const url = parse(href);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '') {
    return refuse('bad-address', 'Only http and https addresses can be played.');
  }
  const secure = url.protocol === 'https:';
  return ok({
    href: url.href,
    secure,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
  });
}

/** The request after a redirect: at most ten, and never from https to http. `followed` counts the earlier ones. */
export function nextHop(
  from: Hop,
  location: string | undefined,
  followed: number,
): Refusal<'bad-redirect' | 'redirect-to-http' | 'too-many-redirects'> {
  if (followed >= MOST_REDIRECTS) return refuse('too-many-redirects', 'The source redirects more than ten times.');
  const url = location === undefined ? null : parse(location, from.href);
  const hop = url === null ? null : firstHop(url.href);
  if (hop === null || !hop.ok)
    return refuse('bad-redirect', 'The source redirects to something that is not an http or https address.');
  if (from.secure && !hop.value.secure) return refuse('redirect-to-http', 'The source redirects from https to http.');
  return hop;
}

/**
 * True if a request goes to another program on the panel itself, other than Home Assistant with the origin
 * `homeAssistant` ("" if none is set). Anyone on the network may request announcements, so nothing may be revealed
 * about what listens on the panel's loopback.
 */
export const isOnPanel = (
  { href }: Hop,
  addresses: readonly string[],
  own: readonly string[],
  homeAssistant: string,
): boolean => new URL(href).origin !== homeAssistant && addresses.some((address) => isOwnAddress(address, own));

/** Refusals that are reported for any source, since they reveal nothing about who answered there. */
const OWN_FAULTS: ReadonlySet<AnnouncementRefusal> = new Set([
  'own-address',
  'no-player',
  'no-sound',
  'disk-full',
  'disk-failed',
  'play-timeout',
]);

/** The reported refusal: the same single reason for every failure of a source on the panel itself. */
export const toldOf = (reason: AnnouncementRefusal, onPanel: boolean): AnnouncementRefusal =>
  onPanel && !OWN_FAULTS.has(reason) ? 'source-on-panel' : reason;

/**
 * True if an address that a name resolved to, with its port, is the panel itself; `own` are its interfaces'
 * addresses.
 */
export const isPanelItself = (address: string, port: number, own: readonly string[], ownPort: number): boolean =>
  port === ownPort && isOwnAddress(address, own);
