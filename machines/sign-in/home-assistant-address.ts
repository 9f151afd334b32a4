import { FOUR_NUMBERS, isPartialIpv4 } from '../kit/host-name.ts';
import type { Recipient } from '../kit/recipient.ts';
import { parseIpv4 } from '../kit/ip-address.ts';
import { ok, refuse } from '../kit/result.ts';
import type { Result } from '../kit/result.ts';

/** Longest address of Home Assistant in characters (as panel-assistant). */
export const ADDRESS_LENGTH = 2048;

const FORM = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^/?#\\]*)([^?#\\]*)([?#].*)?$/is;
const NAME = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*\.?$/i;

/**
 * The origin that an address of Home Assistant names, as a browser writes it: `http://192.168.1.20:8123`. A path is
 * dropped, since people copy it from their browser. The messages of a refusal complete "Address ..." and never hold the
 * text itself.
 */
export function homeAssistantOrigin(text: string): Result<string, 'scheme' | 'userinfo' | 'query' | 'host'> {
  const [, scheme = 'http', authority = '', , rest] = FORM.exec(text.trim()) ?? [];
  // `http:/` with one slash names no host: it is the beginning of an address.
  if (!/^https?$/i.test(scheme) || /^https?:$/i.test(authority))
    return refuse('scheme', 'must begin with http:// or https://');
  if (authority.includes('@'))
    return refuse('userinfo', 'must not hold a user name or password; you sign in on a page of Home Assistant itself');
  if (rest !== undefined) return refuse('query', 'must end after the host name and port, without ? or #');
  const host = authority.replace(/:\d*$/, '');
  if (isPartialIpv4(host)) return refuse('host', FOUR_NUMBERS);
  let url: URL;
  try {
    url = new URL(`${scheme}://${authority}/`);
  } catch {
    return refuse('host', 'must name a host, such as http://homeassistant.local:8123');
  }
  const { hostname } = url;
  // The parser also decodes and maps digits: what it took for an address must have been written as one.
  if (parseIpv4(hostname) !== null && hostname !== host) return refuse('host', FOUR_NUMBERS);
  if (hostname.length > 253 || !(hostname.startsWith('[') || NAME.test(hostname)))
    return refuse('host', 'must name a host, such as http://homeassistant.local:8123');
  return ok(url.origin);
}

/** The Home Assistant that an address names, however it is spelled; null for "" and anything malformed. */
export function homeAssistantRecipient(text: string): Recipient | null {
  const origin = homeAssistantOrigin(text);
  if (text === '' || !origin.ok) return null;
  const { protocol, hostname, port } = new URL(origin.value);
  const scheme = protocol.slice(0, -1);
  return { scheme, host: hostname, port: port === '' ? (scheme === 'https' ? 443 : 80) : Number(port), name: null };
}
