import { clamp } from '../kit/units.ts';
import type { LearnedRange } from './curve.ts';
import { indicesOf, type Evidence } from './evidence.ts';
import { sortedIndices } from './order.ts';

const HOUR_MS = 3_600_000;

/** Shares of the covered time below the range, and up to its end. */
const LOW = 0.05;
const HIGH = 0.95;

/** A room whose light hardly changes has no range. */
const LEAST_SPAN = 1;

/** The range counts more from 2 to 18 hours of baseline, */
const NO_COVERAGE_MS = 2 * HOUR_MS;
const FULL_COVERAGE_MS = 18 * HOUR_MS;

/** and from one to three days with at least half an hour of it. */
const DAY_MS = HOUR_MS / 2;
const NO_DAYS = 1;
const FULL_DAYS = 3;

const ramp = (value: number, none: number, full: number): number => clamp((value - none) / (full - none), 0, 1);

function weightOf({ count, baselineMs, days, dayCount }: Evidence, total: number): number {
  const covered = new Float64Array(dayCount);
  for (let index = 0; index < count; index += 1) {
    const day = days[index] ?? 0;
    covered[day] = (covered[day] ?? 0) + (baselineMs[index] ?? 0);
  }
  const counted = covered.filter((ms) => ms >= DAY_MS).length;
  return ramp(total, NO_COVERAGE_MS, FULL_COVERAGE_MS) * ramp(counted, NO_DAYS, FULL_DAYS);
}

/** The room's own range: its 5th and 95th percentile, weighted by the covered time; null if it does not count. */
export function rangeOf(evidence: Evidence): LearnedRange | null {
  const { count, logs, baselineMs } = evidence;
  let total = 0;
  for (let index = 0; index < count; index += 1) total += baselineMs[index] ?? 0;
  const weight = weightOf(evidence, total);
  if (weight === 0) return null;
  const order = sortedIndices(indicesOf(count), logs);
  const percentile = (share: number): number => {
    let below = 0;
    for (const index of order) {
      below += baselineMs[index] ?? 0;
      if (below >= share * total) return logs[index] ?? 0;
    }
    return 0;
  };
  const [low, high] = [percentile(LOW), percentile(HIGH)];
  return high - low < LEAST_SPAN ? null : { low, high, weight };
}
