import { parseAddress } from './ip-address.ts';

/** The keys by which connections of a peer are counted. */
export interface PeerName {
  /** `loopback` for every loopback address, otherwise the address in canonical form; '' if it is not an address. */
  readonly name: string;
  /**
   * The range within which one machine can choose its address freely: the /64 of an IPv6 address (RFC 4862), or all of
   * `fe80::/10`; '' for IPv4 and loopback.
   */
  readonly network: string;
}

/** The name of every loopback address. */
export const LOOPBACK = 'loopback';

/** Octets of an IPv6 address that name its network: the first 64 bits (RFC 4291, section 2.5.4). */
const NETWORK_OCTETS = 8;

const networkOf = (octets: readonly number[]): string =>
  octets[0] === 0xfe && ((octets[1] ?? 0) & 0xc0) === 0x80
    ? 'fe80::/10'
    : `${octets.slice(0, NETWORK_OCTETS).join('.')}/64`;

/**
 * The keys by which a peer is counted. A household is one /64, so a limit on the /64 alone would let one machine lock
 * out all others; and one machine may use every address of it, so a limit on the address alone would be no limit.
 */
export function peerName(address: string): PeerName {
  const parsed = parseAddress(address);
  if (parsed === null) return { name: '', network: '' };
  const { family, octets } = parsed;
  const isOwn = family === 4 ? octets[0] === 127 : octets.every((octet, index) => octet === (index === 15 ? 1 : 0));
  if (isOwn) return { name: LOOPBACK, network: '' };
  return { name: octets.join('.'), network: family === 4 ? '' : networkOf(octets) };
}
