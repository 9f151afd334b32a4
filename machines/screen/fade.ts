import type { Milliseconds } from '../kit/units.ts';

/** Longest fade to a brighter level. */
const RISE_MS: Milliseconds = 1000;
/** Longest fade to a darker level: eyes follow the dark more slowly. */
const FALL_MS: Milliseconds = 3000;
/** Share of the raw range from which on a fade takes its full time; a shorter way takes less, in proportion. */
const FULL_SHARE = 0.5;
/** Share of the raw range up to which one write is not noticed: five of 255 levels. */
const UNNOTICED_SHARE = 0.02;

/** How long a display fades from one raw value to another; 0 to write at once. */
export function fadeTime(from: number, to: number, rawMax: number): Milliseconds {
  const share = Math.abs(to - from) / rawMax;
  if (share <= UNNOTICED_SHARE) return 0;
  return Math.round((to > from ? RISE_MS : FALL_MS) * Math.min(1, share / FULL_SHARE));
}
