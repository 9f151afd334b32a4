import { statSync } from 'node:fs';
import { join } from 'node:path';

import type { Milliseconds } from '#machines/kit/units.ts';

import type { Loudspeaker } from './sound-system.ts';

/** Bytes per second of Home Assistant's speech (MP3, 64 kbit/s), from which the length of a silent play follows. */
const BYTES_PER_SECOND = 8000;
/** Longest silent play. */
const LONGEST_MS: Milliseconds = 10_000;

/**
 * The loudspeaker of the simulated panel. It is silent for about as long as the sound would last, so that everything
 * around a play can be seen.
 */
export const simulatedLoudspeaker: Loudspeaker = {
  probe: () => Promise.resolve({ players: ['simulated'], sound: null }),
  sound: () => Promise.resolve(null),
  play: (_player, { folder, name }, signal) =>
    new Promise((settle) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        settle('finished');
      };
      const lasts = (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0) / BYTES_PER_SECOND;
      const timer = setTimeout(end, Math.min(LONGEST_MS, lasts * 1000));
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
    }),
  ducker: () => ({ duck: () => Promise.resolve(), restore: () => Promise.resolve() }),
};
