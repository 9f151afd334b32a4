import type { RecordedLight } from '#machines/home-assistant/events.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';

export const MINUTE_MS: Milliseconds = 60_000;
/** Shortest known part of a minute that speaks for all of it. */
const COVERED_MS: Milliseconds = 30_000;

/** What an entity said from `at` until the next of these; null while it gave no usable number. */
export interface HeldLight {
  readonly at: EpochMs;
  readonly lux: number | null;
}

interface OpenMinute {
  readonly minute: number;
  readonly luxMs: number;
  readonly coveredMs: Milliseconds;
  readonly min: number;
  readonly max: number;
}

/** A finished minute; none if less than half of it is known. */
const rowOf = ({ minute, luxMs, coveredMs, min, max }: OpenMinute): readonly RecordedLight[] =>
  coveredMs < COVERED_MS
    ? []
    : // Rounding must not move the mean out of its bounds.
      [{ minute, minutes: 1, mean: Math.min(max, Math.max(min, luxMs / coveredMs)), min, max }];

/**
 * The light between two instants by the minute: each value holds until the next, the mean is weighted by time, and a
 * minute of which less than 30 s are known is left out. `held` is oldest first; what is out of order is left out.
 */
export function foldMinutes(held: readonly HeldLight[], from: EpochMs, to: EpochMs): readonly RecordedLight[] {
  const rows: RecordedLight[] = [];
  let open: OpenMinute | null = null;
  const add = (lux: number, since: EpochMs, until: EpochMs): void => {
    for (let at = since; at < until;) {
      const minute = Math.floor(at / MINUTE_MS);
      const end = Math.min(until, (minute + 1) * MINUTE_MS);
      if (open !== null && open.minute !== minute) {
        rows.push(...rowOf(open));
        open = null;
      }
      const before: OpenMinute = open ?? { minute, luxMs: 0, coveredMs: 0, min: lux, max: lux };
      open = {
        minute,
        luxMs: before.luxMs + lux * (end - at),
        coveredMs: before.coveredMs + (end - at),
        min: Math.min(before.min, lux),
        max: Math.max(before.max, lux),
      };
      at = end;
    }
  };
  let now: HeldLight = { at: from, lux: null };
  for (const next of [...held, { at: to, lux: null }]) {
    const at = Math.min(to, Math.max(from, next.at));
    if (at < now.at) continue;
    if (now.lux !== null) add(now.lux, now.at, at);
    now = { at, lux: next.lux };
  }
  return open === null ? rows : [...rows, ...rowOf(open)];
}
