import type { InFlight } from './in-flight.ts';

/** The files that are being sent. */
export interface Downloads {
  /** Counts one; ends the oldest if there are more than `most`. */
  readonly add: (inFlight: InFlight) => void;
}

/**
 * Bounds the files that are sent at a time: each keeps its space on the disk until its reader is done, and a reader can
 * take long.
 */
export function createDownloads(most: number): Downloads {
  const all = new Set<InFlight>();
  return {
    add: (inFlight) => {
      if (inFlight.destroyed) return;
      all.add(inFlight);
      inFlight.once('close', () => all.delete(inFlight));
      const [oldest] = all;
      if (all.size > most) oldest?.destroy();
    },
  };
}
