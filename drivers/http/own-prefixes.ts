import { networkInterfaces } from 'node:os';

/** How long the last lookup is used, in milliseconds: a new address is known this soon. */
const FRESH_MS = 2000;

let seen: { readonly at: number; readonly prefixes: readonly string[] } | undefined;

/** Ranges of this machine's own interfaces in CIDR notation, looked up at most every 2 s. */
export function ownPrefixes(): readonly string[] {
  const now = performance.now();
  if (seen === undefined || now - seen.at > FRESH_MS) {
    const found = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
    seen = { at: now, prefixes: found.flatMap(({ cidr }) => (cidr === null ? [] : [cidr])) };
  }
  return seen.prefixes;
}
