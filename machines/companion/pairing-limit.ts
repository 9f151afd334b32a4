import { peerName } from '../kit/peer-name.ts';
import type { Milliseconds } from '../kit/units.ts';

/** How long a pairing counts against the next ones. */
export const PAIRINGS_WITHIN_MS: Milliseconds = 5 * 60_000;
/** Most pairings of one device in that time, and most of all: a question lights the panel and sounds. */
const PAIRINGS_OF_DEVICE = 3;
const PAIRINGS = 5;

/** A pairing that was asked for lately. */
export interface RecentPairing {
  readonly pairing: number;
  /** An IPv6 network, since one machine can use every address of it; otherwise the address. */
  readonly device: string;
}

/** What the limit counts of an address. */
export function deviceOf(peer: string): string {
  const { name, network } = peerName(peer);
  return network || name || peer;
}

/** True if this peer, or all together, asked too often. */
export const isTooOften = (recent: readonly RecentPairing[], peer: string): boolean =>
  recent.length >= PAIRINGS || recent.filter(({ device }) => device === deviceOf(peer)).length >= PAIRINGS_OF_DEVICE;
