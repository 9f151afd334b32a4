import { levelOfPercent } from '../kit/level.ts';
import { clamp } from '../kit/units.ts';
import type { BrightnessSettings, Level } from './events.ts';
import { logOf } from './lux.ts';

/** The room's own range of ln(1 + lx), and how far it is trusted, above 0 to 1. */
export interface LearnedRange {
  readonly low: number;
  readonly high: number;
  readonly weight: number;
}

/** Share of full brightness in the dark, where a screen is just visible. */
const DARKEST = 0.04;

/** Share of full brightness by light, for a room of which nothing is known. */
const fixedCurve = (
  [
    [0, DARKEST],
    [1, 0.06],
    [10, 0.12],
    [100, 0.3],
    [1_000, 0.65],
    [10_000, 1],
  ] as const
).map(([lux, share]) => ({ log: logOf(lux), share }));

function fixedFraction(log: number): number {
  let below = { log: 0, share: DARKEST };
  for (const point of fixedCurve) {
    if (log <= point.log) {
      const span = point.log - below.log;
      return span === 0 ? point.share : below.share + ((log - below.log) / span) * (point.share - below.share);
    }
    below = point;
  }
  return below.share;
}

const learnedFraction = (log: number, { low, high }: LearnedRange): number =>
  DARKEST + (1 - DARKEST) * clamp((log - low) / (high - low), 0, 1);

/** Share of full brightness, 0.04 to 1, for ln(1 + lx); `range` is null while too little of the room is known. */
export function fractionOf(log: number, range: LearnedRange | null): number {
  const fixed = fixedFraction(Math.max(0, log));
  return range === null ? fixed : fixed + range.weight * (learnedFraction(log, range) - fixed);
}

/** The level, 1 to 255, for a share of 0.04 to 1 spread over the settings' minimum to maximum (100 % is 255). */
export function levelFor(fraction: number, settings: BrightnessSettings): Level {
  const share = clamp((fraction - DARKEST) / (1 - DARKEST), 0, 1);
  return levelOfPercent(settings.minimumPercent + share * (settings.maximumPercent - settings.minimumPercent));
}
