import { parseAddress } from './ip-address.ts';

/** By what a peer is counted. */
export interface PeerName {
  /** `loopback` for every address of the machine itself, else the address in one spelling; '' for what is none. */
  readonly name: string;
  /**
   * The addresses that one machine can change among as it likes: the /64 of an IPv6 address (RFC 4862), or all of
   * `fe80::/10`; '' for IPv4 and for the machine itself.
   */
  readonly network: string;
}

/** The name of every address of the machine itself. */
export const LOOPBACK = 'loopback';

/** Octets of an IPv6 address that name its network: the first 64 bits (RFC 4291, section 2.5.4). */
const NETWORK_OCTETS = 8;

const networkOf = (octets: readonly number[]): string =>
  octets[0] === 0xfe && ((octets[1] ?? 0) & 0xc0) === 0x80
    ? 'fe80::/10'
    : `${octets.slice(0, NETWORK_OCTETS).join('.')}/64`;

/**
 * By what the address of a peer is counted. A household is one /64, so a bound of the /64 alone would let one machine
 * shut out all others; and one machine may have every address of it, so a bound of the address alone would be none.
 */
export function peerName(address: string): PeerName {
  const parsed = parseAddress(address);
  if (parsed === null) return { name: '', network: '' };
  const { family, octets } = parsed;
  const isOwn = family === 4 ? octets[0] === 127 : octets.every((octet, index) => octet === (index === 15 ? 1 : 0));
  if (isOwn) return { name: LOOPBACK, network: '' };
  return { name: octets.join('.'), network: family === 4 ? '' : networkOf(octets) };
}
