import { clamp, type Milliseconds } from '../kit/units.ts';
import { luxOf } from './lux.ts';

/** Whether the room counts as brighter than expected; times are of a monotonic clock. */
export interface Boost {
  /**
   * `rising`: it is brighter, but not for long enough. `on`: that counts. `clearing`: no longer brighter, which counts
   * as before. `releasing`: it counts less and less. While it counts, no time belongs to the baseline.
   */
  readonly phase: 'resting' | 'rising' | 'on' | 'clearing' | 'releasing';
  /** When the phase began. */
  readonly since: Milliseconds;
  /** When the light last rose fast in the phase `rising`; null if it did not. */
  readonly fastSince: Milliseconds | null;
  /** The ln(1 + lx) of the last evaluation; null before the first. */
  readonly lastLog: number | null;
}

export const restingBoost: Boost = { phase: 'resting', since: 0, fastSince: null, lastLog: null };

/** A room is brighter from a factor of 1.6 on, or three times the usual spread. */
const LEAST_RESIDUAL = Math.log(1.6);
const SPREADS = 3;

/** ... and by this many lx: in the dark a factor of 1.6 is nothing. */
const LEAST_LUX = 5;

/** Between two evaluations, a lamp that was switched on. */
const FAST_RISE = Math.log(1.35);

const FAST_ON_MS = 2_000;
const SLOW_ON_MS = 30_000;
const CLEAR_MS = 10_000;
const RELEASE_MS = 20_000;

interface Evaluation {
  readonly measuredLog: number;
  readonly expectedLog: number;
  /** Of the learned light, in ln(1 + lx). */
  readonly spread: number;
  readonly elapsed: Milliseconds;
}

const isBrighter = ({ measuredLog, expectedLog, spread }: Evaluation): boolean =>
  measuredLog - expectedLog >= Math.max(LEAST_RESIDUAL, SPREADS * spread) &&
  luxOf(measuredLog) - luxOf(expectedLog) >= LEAST_LUX;

type Phase = Omit<Boost, 'lastLog'>;

const begin = (name: Boost['phase'], since: Milliseconds): Phase => ({ phase: name, since, fastSince: null });

function whileBrighter(before: Boost, { measuredLog, elapsed }: Evaluation): Phase {
  if (before.phase === 'on') return before;
  if (before.phase === 'clearing' || before.phase === 'releasing') return begin('on', elapsed);
  const isFast = before.lastLog !== null && measuredLog - before.lastLog >= FAST_RISE;
  const since = before.phase === 'rising' ? before.since : elapsed;
  // A second rise does not make the first one wait again.
  const fastSince = before.fastSince ?? (isFast ? elapsed : null);
  const isOn = elapsed - since >= SLOW_ON_MS || (fastSince !== null && elapsed - fastSince >= FAST_ON_MS);
  return isOn ? begin('on', elapsed) : { phase: 'rising', since, fastSince };
}

function otherwise(before: Boost, elapsed: Milliseconds): Phase {
  switch (before.phase) {
    case 'resting':
      return before;
    case 'rising':
      return begin('resting', elapsed);
    case 'on':
      return begin('clearing', elapsed);
    case 'clearing':
      return elapsed - before.since >= CLEAR_MS
        ? otherwise({ ...before, phase: 'releasing', since: before.since + CLEAR_MS }, elapsed)
        : before;
    case 'releasing':
      return elapsed - before.since >= RELEASE_MS ? begin('resting', elapsed) : before;
  }
}

/** After one evaluation: on after 2 s if the light rose fast, else after 30 s; off after 10 s and a release of 20 s. */
export function boostAfter(before: Boost, now: Evaluation): Boost {
  const next = isBrighter(now) ? whileBrighter(before, now) : otherwise(before, now.elapsed);
  return { phase: next.phase, since: next.since, fastSince: next.fastSince, lastLog: now.measuredLog };
}

/** How much of light above the expected counts, 0 to 1; it falls in a line during the release. */
export function boostShare(boost: Boost, elapsed: Milliseconds): number {
  if (boost.phase === 'on' || boost.phase === 'clearing') return 1;
  return boost.phase === 'releasing' ? clamp(1 - (elapsed - boost.since) / RELEASE_MS, 0, 1) : 0;
}

/** True while it changes by the passing of time, so that it is evaluated each second. */
export const isBoostMoving = ({ phase }: Boost): boolean =>
  phase === 'rising' || phase === 'clearing' || phase === 'releasing';
