import { isIPv6 } from 'node:net';

/** Replacements for an address and an identifier. */
const ADDRESS = '[address]';
const IDENTIFIER = '[identifier]';

/** Host and port of a URL, after credentials that were redacted before. */
const HOST_IN_URL = /\b([a-z][a-z0-9+.-]{0,15}:\/\/(?:\[redacted\]@)?)[^\s/?#"'\\<>]+/gi;
/**
 * Here and below, the lookbehind tries a run from its beginning only: trying it from each character takes seconds for a
 * long one.
 */
const EMAIL = /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;
/** Ids of an installation, a machine or a profile's revision: 32 digits and more. */
const LONG_HEX = /\b[0-9a-f]{24,}\b/gi;
const MAC = /\b(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}\b/gi;
const IPV4 = /(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.]*\w)/g;
/** Candidates for an IPv6 address, with the zone of a link-local one. */
const MAYBE_IPV6 = /(?<![\w:])([0-9a-f]*(?::[0-9a-f]*){2,}(?:\d*(?:\.\d{1,3}){3})?)(?:%[\w.-]+)?/gi;
/** Excludes times of day without asking Node, whose first answer takes 5 ms of a start to compile. */
const mayBeIpv6 = (address: string): boolean => address.includes('::') || address.split(':').length >= 7;
/** Names that a router, mDNS or RFC 8375 gives to hosts at home. */
const HOUSE_NAME = /(?<![\w.-])(?:[a-z0-9-]+\.)+(?:local|lan|home\.arpa|fritz\.box)\b/gi;

/**
 * The text without addresses and identifiers that are known by their shape, for files that leave the panel. No log line
 * should contain one; this catches those that slip through.
 */
export const stripIdentifying = (text: string): string =>
  text
    .replace(HOST_IN_URL, `$1${ADDRESS}`)
    .replace(EMAIL, ADDRESS)
    .replace(UUID, IDENTIFIER)
    .replace(LONG_HEX, IDENTIFIER)
    .replace(MAC, ADDRESS)
    .replace(MAYBE_IPV6, (whole, address: string) => (mayBeIpv6(address) && isIPv6(address) ? ADDRESS : whole))
    .replace(IPV4, ADDRESS)
    .replace(HOUSE_NAME, ADDRESS);
