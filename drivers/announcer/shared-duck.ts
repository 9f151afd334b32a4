import { serial } from '#drivers/kit/serial.ts';
import type { Percent } from '#machines/kit/units.ts';

import type { StreamDucker } from './pulseaudio-streams.ts';

/** What other streams are lowered for: a sound in the lane, or a turn of voice, which holds them lowered. */
type DuckReason = 'play' | 'hold';

/** One ducker for several reasons: lowered with the first, restored with the last. */
export interface SharedDuck {
  /** Lowers what is not lowered yet. */
  readonly take: (reason: DuckReason, percent: Percent, signal: AbortSignal) => Promise<void>;
  /** Restores the volumes, if no other reason is left. */
  readonly give: (reason: DuckReason) => Promise<void>;
  /** Restores what an earlier attempt could not, if there is no reason to lower. */
  readonly tidy: () => Promise<void>;
  readonly has: (reason: DuckReason) => boolean;
}

/** Asks a ducker for one thing at a time, by what the reasons are when its turn comes. */
export function sharedDuck(ducker: StreamDucker): SharedDuck {
  const inTurn = serial();
  const reasons = new Set<DuckReason>();
  const tidy = (): Promise<void> => inTurn(() => (reasons.size === 0 ? ducker.restore() : undefined));
  return {
    take: (reason, percent, signal) => {
      reasons.add(reason);
      return inTurn(() => (reasons.has(reason) ? ducker.duck(percent, signal) : undefined));
    },
    give: (reason) => {
      reasons.delete(reason);
      return tidy();
    },
    tidy,
    has: (reason) => reasons.has(reason),
  };
}
