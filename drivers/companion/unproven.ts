import { peerName, type PeerName } from '#machines/kit/peer-name.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { WireRules } from './rules.ts';

/** Counts the connections that have proved nothing yet. */
export interface Unproven {
  /** Lets one in; returns the function that takes it out again, null if there are too many. */
  readonly enter: (address: string) => (() => void) | null;
  readonly size: () => number;
}

const SECOND: Milliseconds = 1000;
/** Peers whose attempts are remembered; one more drops the oldest. */
const MOST_PEERS = 256;

/** `now` is in milliseconds of a monotonic clock; `nameOf` names the peer that an address counts for. */
export function createUnproven(
  { unprovenOfPeer, unprovenOfNetwork, unproven, handshakesPerSecond }: WireRules['limits'],
  now: () => Milliseconds,
  nameOf: (address: string) => PeerName = peerName,
): Unproven {
  const counts = new Map<string, number>();
  const change = (name: string, by: number): void => {
    const count = (counts.get(name) ?? 0) + by;
    if (count === 0) counts.delete(name);
    else counts.set(name, count);
  };
  const attempts = new Map<string, { readonly since: Milliseconds; count: number }>();
  let size = 0;
  const tooFast = (name: string): boolean => {
    const known = attempts.get(name);
    if (known !== undefined && now() - known.since < SECOND) {
      known.count += 1;
      return known.count > handshakesPerSecond;
    }
    attempts.delete(name);
    const [oldest] = attempts.keys();
    if (attempts.size >= MOST_PEERS && oldest !== undefined) attempts.delete(oldest);
    attempts.set(name, { since: now(), count: 1 });
    return false;
  };
  return {
    enter: (address) => {
      const { name, network } = nameOf(address);
      const isCrowded = network !== '' && (counts.get(network) ?? 0) >= unprovenOfNetwork;
      if (tooFast(name) || isCrowded || (counts.get(name) ?? 0) >= unprovenOfPeer || size >= unproven) return null;
      // An address is no name of a network.
      const names = network === '' ? [name] : [name, network];
      for (const one of names) change(one, 1);
      size += 1;
      let isIn = true;
      return () => {
        if (!isIn) return;
        isIn = false;
        size -= 1;
        for (const one of names) change(one, -1);
      };
    },
    size: () => size,
  };
}
