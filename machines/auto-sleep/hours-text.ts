import { ok, type Result } from '../kit/result.ts';
import { type HourRange, rangeText, readRanges } from './hour-range.ts';

/** When a rule is in force: never, while the sun is down, or within ranges of the wall clock. */
export type Hours =
  | { readonly kind: 'never' }
  | { readonly kind: 'sun' }
  | { readonly kind: 'ranges'; readonly ranges: readonly HourRange[] };

/** Longest text of such a setting, in characters. */
export const HOURS_LENGTH = 255;

const SUN_WORD = 'sun';

/**
 * Reads hours as the owner writes them: "" for never, `22:30-06:30`, or up to four ranges such as
 * `mon-fri 22:30-06:30; sat,sun 00:00-08:00`. The days are those on which a range begins. `sun` alone means while the
 * sun is down, where that is allowed. A refusal is one sentence with the place of the fault.
 */
export function parsedHours(text: string, allows: { readonly sun: boolean }): Result<Hours, 'hours'> {
  const word = text.trim().toLowerCase();
  if (word === '') return ok({ kind: 'never' });
  if (word === SUN_WORD && allows.sun) return ok({ kind: 'sun' });
  const ranges = readRanges(text);
  return ranges.ok ? ok({ kind: 'ranges', ranges: ranges.value }) : ranges;
}

/** The canonical spelling. */
export function hoursText(hours: Hours): string {
  if (hours.kind === 'ranges') return hours.ranges.map(rangeText).join('; ');
  return hours.kind === 'sun' ? SUN_WORD : '';
}
