/*
 * A parser of our own, because it decides who may connect and which Host is accepted, and has to be stricter than
 * libraries and `inet_aton` are: no octal or hexadecimal octets, no short forms (`127.1`), no single integer as an
 * address. A spelling that one parser refuses and another takes for a local address would be a way around those checks.
 */

/** An address as octets: 4 for IPv4, 16 for IPv6. */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly octets: readonly number[];
}

const OCTET = /^(?:0|[1-9]\d{0,2})$/;
const GROUP = /^[0-9a-f]{1,4}$/i;

/** The four octets of a dotted quad, or null; leading zeros are refused because some parsers read them as octal. */
export function parseIpv4(text: string): readonly number[] | null {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => OCTET.test(part) && Number(part) <= 255)) return null;
  return parts.map(Number);
}

function parseGroups(text: string, quadAllowed: boolean): readonly number[] | null {
  if (text === '') return [];
  const octets: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    if (quadAllowed && index === parts.length - 1 && part.includes('.')) {
      const quad = parseIpv4(part);
      if (quad === null) return null;
      octets.push(...quad);
    } else if (GROUP.test(part)) {
      const group = Number.parseInt(part, 16);
      octets.push(group >> 8, group & 0xff);
    } else return null;
  }
  return octets;
}

/** The sixteen octets of an IPv6 address without brackets and zone (RFC 4291, section 2.2), or null. */
export function parseIpv6(text: string): readonly number[] | null {
  const halves = text.split('::');
  const [head, tail] = halves;
  if (head === undefined || halves.length > 2) return null;
  if (tail === undefined) {
    const octets = parseGroups(head, true);
    return octets?.length === 16 ? octets : null;
  }
  const before = parseGroups(head, false);
  const after = parseGroups(tail, true);
  if (before === null || after === null || before.length + after.length > 14) return null;
  return [...before, ...Array.from({ length: 16 - before.length - after.length }, () => 0), ...after];
}

/** The octets before the IPv4 part of an IPv4-mapped address (RFC 4291, section 2.5.5.2). */
const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

/** True if sixteen octets are an IPv4-mapped address. */
const isMapped = (octets: readonly number[]): boolean =>
  octets.length === 16 && MAPPED.every((octet, index) => octets[index] === octet);

/**
 * Parses an address in any spelling, without its zone; an IPv4-mapped one becomes IPv4. Null if it is not an address.
 */
export function parseAddress(text: string): IpAddress | null {
  const quad = parseIpv4(text);
  if (quad !== null) return { family: 4, octets: quad };
  const zone = text.indexOf('%');
  if (zone === text.length - 1) return null;
  const octets = parseIpv6(zone === -1 ? text : text.slice(0, zone));
  if (octets === null) return null;
  return isMapped(octets) ? { family: 4, octets: octets.slice(12) } : { family: 6, octets };
}

/** An address range: the first `length` bits of `base`. */
export interface IpPrefix {
  readonly base: IpAddress;
  readonly length: number;
}

/** A range in CIDR notation, or null; a range of IPv4-mapped addresses becomes an IPv4 range. */
export function parsePrefix(text: string): IpPrefix | null {
  const [address, bits, more] = text.split('/');
  if (address === undefined || bits === undefined || more !== undefined || !/^\d{1,3}$/.test(bits)) return null;
  const base = parseAddress(address);
  if (base === null) return null;
  const length = base.family === 4 && address.includes(':') ? Number(bits) - 96 : Number(bits);
  return length < 0 || length > base.octets.length * 8 ? null : { base, length };
}

/** True if an address is in a range of its own family. */
export const isInside = (address: IpAddress, prefix: IpPrefix): boolean =>
  address.family === prefix.base.family &&
  address.octets.every((octet, index) => {
    const bits = Math.min(8, Math.max(0, prefix.length - index * 8));
    const mask = (0xff << (8 - bits)) & 0xff;
    return ((octet ^ (prefix.base.octets[index] ?? 0)) & mask) === 0;
  });

/**
 * An address as text for comparing peers: IPv4-mapped as IPv4, lower case, without a zone; '' if it is not an address.
 */
export function plainAddress(address: string): string {
  const parsed = parseAddress(address);
  if (parsed === null) return '';
  return parsed.family === 4 ? parsed.octets.join('.') : (address.split('%')[0] ?? '').toLowerCase();
}
