import { clamp, type EpochMs, type Milliseconds } from '../kit/units.ts';
import type { Learned, LearnedDay, SleepSettings } from './events.ts';
import { MAXIMUM_LEASE_MS, MINIMUM_LEASE_MS } from './presence.ts';

/** A touch this soon after an automatic sleep shows that it came too early: 2 min. */
export const PREMATURE_MS: Milliseconds = 120_000;

const DAY_MS: Milliseconds = 86_400_000;
/** How many days are kept, both of gaps and of a correction. */
const DAYS = 7;

/** Twelve buckets of 5 min: a gap of an hour or more is an absence, which no lease bridges. */
const BUCKETS = 12;
const BUCKET_MS: Milliseconds = 300_000;
const COUNT_MAX = 10_000;

const SAMPLES_MIN = 3;
/** Lies between the upper edge of the bucket and the end of the lease. */
const MARGIN_MS: Milliseconds = 120_000;
const TOUCH_PERCENTILE = 90;
const APPROACH_PERCENTILE = 75;
const APPROACH_LEASE_MAX_MS: Milliseconds = 1_800_000;

/** A premature sleep adds this to the lease; each day after the first takes as much away again. */
const CORRECTION_STEP_MS: Milliseconds = 300_000;

const TOUCH_DELAY_SECONDS = { min: 5, max: 86_400 } as const;

type GapKind = 'touch' | 'approach';

/** Where learning starts, for a set of sources; also what is left after another set. */
export const nothingLearned = (partition: string): Learned => ({ partition, days: [], correction: null });

const isPast = (day: number, today: number): boolean => day <= today && day > today - DAYS;

/**
 * The days that are kept beside `today`: those of the last week, and while there are fewer, days that lie in the future
 * of a clock that was just set. Those count again once the clock is right.
 */
function othersOf(days: readonly LearnedDay[], today: number): readonly LearnedDay[] {
  const past = days.filter(({ day }) => day < today && isPast(day, today));
  const future = days.filter(({ day }) => day > today);
  return [...past, ...future.slice(Math.max(0, future.length - (DAYS - 1 - past.length)))];
}

const emptyDay = (day: number): LearnedDay => ({ day, touch: noCounts, approach: noCounts });
const noCounts: readonly number[] = Array.from({ length: BUCKETS }, () => 0);

/**
 * One gap more between two touches, or two approaches, in the day (since 1970-01-01, of the place's calendar) of the
 * second. The same object if the gap tells nothing: an hour or more, or a bucket that is full.
 */
export function learnedAfterGap(learned: Learned, kind: GapKind, gapMs: Milliseconds, day: number): Learned {
  const bucket = Math.floor(gapMs / BUCKET_MS);
  if (!(bucket >= 0 && bucket < BUCKETS) || !Number.isSafeInteger(day)) return learned;
  const today = learned.days.find((one) => one.day === day) ?? emptyDay(day);
  const counts = noCounts.map((_, index) => today[kind][index] ?? 0);
  const count = counts[bucket] ?? 0;
  if (count >= COUNT_MAX) return learned;
  counts[bucket] = count + 1;
  const days = [...othersOf(learned.days, day), { ...today, [kind]: counts }].toSorted((a, b) => a.day - b.day);
  return { ...learned, days };
}

/** Full for the first day, then 5 min less with each further one; 0 after seven, and from a far future. */
function correctedFloor({ correction }: Learned, now: EpochMs): Milliseconds {
  if (correction === null) return 0;
  const days = Math.floor((now - correction.at) / DAY_MS);
  // A clock that was set back a little does not forget it.
  if (!(days >= -1 && days < DAYS)) return 0;
  return clamp(correction.floorMs, 0, MAXIMUM_LEASE_MS) - Math.max(0, days) * CORRECTION_STEP_MS;
}

/** A touch came within `PREMATURE_MS` after a sleep that followed `leaseMs`; never called for mode `touch`. */
export function learnedAfterPremature(learned: Learned, leaseMs: Milliseconds, now: EpochMs): Learned {
  const lease = Math.max(leaseMs, MINIMUM_LEASE_MS);
  const floorMs = Math.min(MAXIMUM_LEASE_MS, Math.max(lease + CORRECTION_STEP_MS, correctedFloor(learned, now)));
  return { ...learned, correction: { floorMs, at: now } };
}

/** Upper edge of the bucket in which the percentile lies, and 2 min; 0 with fewer than three gaps. */
function learnedLease(days: readonly LearnedDay[], kind: GapKind, percentile: number): Milliseconds {
  const counts = noCounts.map((_, index) => days.reduce((sum, day) => sum + (day[kind][index] ?? 0), 0));
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total < SAMPLES_MIN) return 0;
  let below = 0;
  // Whole numbers: 9 of 10 are exactly 90 %.
  const bucket = counts.findIndex((count) => (below += count) * 100 >= total * percentile);
  return (bucket + 1) * BUCKET_MS + MARGIN_MS;
}

/**
 * How long the screen stays lit after the last presence: 10 to 60 min by what was learned, in mode `touch` the fixed
 * delay of 5 to 86,400 s. `day` is today, as in `learnedAfterGap`.
 */
export function leaseOf(
  learned: Learned | null,
  settings: Pick<SleepSettings, 'source' | 'touchDelaySeconds'>,
  moment: { readonly now: EpochMs; readonly day: number },
): Milliseconds {
  if (settings.source === 'touch')
    return clamp(settings.touchDelaySeconds, TOUCH_DELAY_SECONDS.min, TOUCH_DELAY_SECONDS.max) * 1000;
  if (learned === null) return MINIMUM_LEASE_MS;
  const days = learned.days.filter(({ day }) => isPast(day, moment.day));
  const touch = learnedLease(days, 'touch', TOUCH_PERCENTILE);
  const approach = Math.min(APPROACH_LEASE_MAX_MS, learnedLease(days, 'approach', APPROACH_PERCENTILE));
  return clamp(Math.max(touch, approach, correctedFloor(learned, moment.now)), MINIMUM_LEASE_MS, MAXIMUM_LEASE_MS);
}
