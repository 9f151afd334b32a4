import { parseIpv4 } from './ip-address.ts';

/** A last label that resolvers and browsers read as a number (URL Standard, "ends in a number checker"). */
const NUMBER = /^(?:\d+|0x[0-9a-f]*)$/i;

/**
 * True if a host is an incomplete or unusual spelling of an IPv4 address, such as `192.168.1.`, `10.1` or `0x7f.1`. A
 * resolver and a browser complete it to another address than the one that was meant: `192.168.1.` to 192.168.0.1.
 */
export function isPartialIpv4(host: string): boolean {
  // An IPv6 address may end in an IPv4 one, which is whole then.
  if (host.includes(':')) return false;
  const last = host.replace(/\.$/, '').split('.').at(-1) ?? '';
  return NUMBER.test(last) && parseIpv4(host) === null;
}

/** The requirement, as the end of "Address ..."; the text itself is never repeated. */
export const FOUR_NUMBERS = 'must have an IP address of four numbers from 0 to 255, such as 192.168.1.10';
