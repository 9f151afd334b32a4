import type { Milliseconds } from '../kit/units.ts';
import type { Burst, Schedule } from './events.ts';

/** Shortest and longest time between two bursts (both as panel-assistant). */
const FLOOR_MS: Milliseconds = 30_000;
const CEILING_MS: Milliseconds = 10 * 60_000;
/** Clean bursts in a row after which the interval doubles (as panel-assistant). */
const CLEAN_TO_WIDEN = 3;

/** The schedule of an unproven or suspect path. */
export const floor: Schedule = { intervalMs: FLOOR_MS, clean: 0 };

/** True if a burst was clean: something was sent and nothing was lost. */
const isClean = ({ sent, roundTripsMs }: Burst): boolean => sent > 0 && roundTripsMs.length === sent;

/**
 * The schedule after a burst: the interval doubles at every third clean burst in a row, from 30 s up to 10 min, and
 * returns to its floor after any other (contract, "Rules for `ha_path_probe`").
 */
export function scheduleAfter({ intervalMs, clean }: Schedule, burst: Burst): Schedule {
  if (!isClean(burst)) return floor;
  if (clean + 1 < CLEAN_TO_WIDEN) return { intervalMs, clean: clean + 1 };
  return { intervalMs: Math.min(CEILING_MS, intervalMs * 2), clean: 0 };
}
