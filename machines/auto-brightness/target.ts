import { fractionOf, levelFor, type LearnedRange } from './curve.ts';
import type { BrightnessSettings, Level, Mode } from './events.ts';

interface Light {
  readonly mode: Mode;
  /** Both as ln(1 + lx). */
  readonly expectedLog: number;
  readonly measuredLog: number;
  /** How much of light above the expected counts, 0 to 1. */
  readonly share: number;
  readonly settings: BrightnessSettings;
  readonly range: LearnedRange | null;
}

/** The expected light, and of the difference from it what counts; in a cold start the expected light alone. */
function effectiveLog({ mode, expectedLog, measuredLog, share, settings }: Light): number {
  if (mode === 'cold_start') return expectedLog;
  const residual = measuredLog - expectedLog;
  return Math.max(0, expectedLog + (settings.responsePercent / 100) * (residual > 0 ? residual * share : residual));
}

/** What the light of the room asks for: share of full brightness, 0.04 to 1, and the level within the settings. */
export function automatic(input: Light): { readonly fraction: number; readonly level: Level } {
  const fraction = fractionOf(effectiveLog(input), input.range);
  return { fraction, level: levelFor(fraction, input.settings) };
}
