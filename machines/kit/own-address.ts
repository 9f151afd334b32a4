import { type IpAddress, type IpPrefix, isInside, parseAddress, parsePrefix } from './ip-address.ts';

const ranges = (...texts: readonly string[]): readonly IpPrefix[] =>
  texts.map(parsePrefix).filter((prefix) => prefix !== null);

/** Loopback, and the unspecified addresses, which Linux treats as loopback. */
const SELF = ranges('127.0.0.0/8', '::1/128', '0.0.0.0/8', '::/128');

/** RFC 3927 and RFC 4291, section 2.5.6. */
const LINK_LOCAL = ranges('169.254.0.0/16', 'fe80::/10');

const isIn = (address: IpAddress, prefixes: readonly IpPrefix[]): boolean =>
  prefixes.some((prefix) => isInside(address, prefix));

/** True if an address belongs to this machine; `own` are the addresses of its interfaces. */
export function isOwnAddress(address: string, own: readonly string[]): boolean {
  const parsed = parseAddress(address);
  if (parsed === null) return false;
  return (
    isIn(parsed, SELF) ||
    own.some((text) => {
      const mine = parseAddress(text);
      return mine !== null && isInside(parsed, { base: mine, length: mine.octets.length * 8 });
    })
  );
}

/**
 * True if a probe must not connect to an address: this machine's own, or a link-local one. Any peer of the network may
 * start a probe, and the result would reveal which ports are open.
 */
export function isLocalAddress(address: string, own: readonly string[]): boolean {
  const parsed = parseAddress(address);
  return parsed !== null && (isIn(parsed, LINK_LOCAL) || isOwnAddress(address, own));
}

/** The code of a probe that did not connect; it reveals nothing else about such an address. */
export const LOCAL_ADDRESS = 'local-address';

/** The same for the owner; `what` is expected at the address, such as `the broker`. */
export const localAddressAdvice = (what: string): string =>
  `This address leads to the panel itself or is link-local, so it cannot be tested before it is saved. If ${what} runs there, save it and check it again; otherwise enter its address in your network.`;
