import { isInside, parseAddress, parsePrefix, type IpAddress, type IpPrefix } from '../kit/ip-address.ts';
import { remembering } from './remember.ts';

const ranges = (...texts: readonly string[]): readonly IpPrefix[] =>
  texts.map(parsePrefix).filter((prefix) => prefix !== null);

const LOOPBACK = ranges('127.0.0.0/8', '::1/128');

/** RFC 1918, link-local (RFC 3927, RFC 4291), shared address space (RFC 6598) and unique local addresses (RFC 4193). */
const LOCAL = ranges(
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '100.64.0.0/10',
  'fc00::/7',
  'fe80::/10',
);

/** The decision by the address alone, or the parsed address if the panel's own ranges decide. */
const judged = remembering(256, (address): boolean | IpAddress => {
  const parsed = parseAddress(address);
  if (parsed === null) return false;
  return LOOPBACK.some((range) => isInside(parsed, range)) || LOCAL.some((range) => isInside(parsed, range)) || parsed;
});

/**
 * True if a peer belongs to the local network: loopback, a private or link-local range, or a range (CIDR notation) of
 * one of the panel's own interfaces. An invalid address is refused, and an own range of length 0 is ignored, since it
 * would match everyone.
 */
export function isLanPeer(address: string, ownPrefixes: readonly string[]): boolean {
  const parsed = judged(address);
  if (typeof parsed === 'boolean') return parsed;
  return ownPrefixes.some((text) => {
    const prefix = parsePrefix(text);
    return prefix !== null && prefix.length > 0 && isInside(parsed, prefix);
  });
}
