import type { Milliseconds } from '#machines/kit/units.ts';

/** How long after a tap from the network a request from the panel itself is not trusted. */
const RECENT_MS: Milliseconds = 60_000;

/** Remembers if the panel was tapped from the network recently. */
export interface NetworkTaps {
  readonly note: () => void;
  readonly isRecent: () => boolean;
}

/** Uses a monotonic clock. */
export function createNetworkTaps(elapsed: () => Milliseconds): NetworkTaps {
  let last: Milliseconds | null = null;
  return {
    note: () => {
      last = elapsed();
    },
    isRecent: () => last !== null && elapsed() - last < RECENT_MS,
  };
}
