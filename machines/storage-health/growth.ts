import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { StorageGrowth } from './events.ts';

const HOUR_MS: Milliseconds = 3_600_000;
const DAY_MS: Milliseconds = 24 * HOUR_MS;

/** Shortest time between two stored measurements. */
const APART_MS: Milliseconds = 6 * HOUR_MS;
/** Most stored measurements: those of seven days plus the first. */
const MOST_REMEMBERED = 29;
/** Inspections come every five minutes; a longer gap, or a step back, means that the clock was set. */
const SILENCE_MS: Milliseconds = HOUR_MS;

/**
 * The growth after a measurement of `bytes` at `at`: over at most seven days, null before a whole day was measured. A
 * clock that was set starts a new measurement, as does a restart: the real time in between is unknown.
 */
export function afterMeasured(growth: StorageGrowth, bytes: number | null, at: EpochMs): StorageGrowth {
  if (bytes === null) return growth;
  const newest = growth.measured.at(-1);
  if (newest === undefined || growth.lastAt === null || at < growth.lastAt || at - growth.lastAt > SILENCE_MS) {
    return { measured: [{ at, bytes }], lastAt: at, bytesPerDay: null };
  }
  if (at - newest.at < APART_MS) return { ...growth, lastAt: at };
  const measured = [...growth.measured, { at, bytes }].slice(-MOST_REMEMBERED);
  const oldest = measured[0] ?? { at, bytes };
  const elapsed = at - oldest.at;
  return {
    measured,
    lastAt: at,
    bytesPerDay: elapsed < DAY_MS ? null : Math.round(((bytes - oldest.bytes) * DAY_MS) / elapsed),
  };
}
