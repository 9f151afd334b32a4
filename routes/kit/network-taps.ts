import type { Milliseconds } from '#machines/kit/units.ts';

/** How long a tap from the network speaks against a request from the panel itself. */
const RECENT_MS: Milliseconds = 60_000;

/** Remembers whether the panel was tapped from the network lately. */
export interface NetworkTaps {
  readonly note: () => void;
  readonly isRecent: () => boolean;
}

/** Remembers it by a monotonic clock. */
export function createNetworkTaps(elapsed: () => Milliseconds): NetworkTaps {
  let last: Milliseconds | null = null;
  return {
    note: () => {
      last = elapsed();
    },
    isRecent: () => last !== null && elapsed() - last < RECENT_MS,
  };
}
