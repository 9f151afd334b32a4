import type { Milliseconds } from '../kit/units.ts';

/** How often a question may light and sound the panel at most. */
const ATTENTION_MS: Milliseconds = 60_000;
/** How long a question waits for a touch before it gives the screen back. */
export const UNTOUCHED_MS: Milliseconds = 60_000;
/** So many untouched questions within the window make later ones wait silently. */
const UNTOUCHED_LIMIT = 3;
const WINDOW_MS: Milliseconds = 10 * 60_000;

/** True if the panel may be lit and sound for a question now; `last` is when it last did, null for never. */
export const mayDrawAttention = (last: Milliseconds | null, now: Milliseconds): boolean =>
  last === null || now - last >= ATTENTION_MS;

/** When questions were left untouched, with one more at `now`; only the last ones count. */
export const afterUntouched = (untouched: readonly Milliseconds[], now: Milliseconds): readonly Milliseconds[] =>
  [...untouched, now].slice(-UNTOUCHED_LIMIT);

/** True if new questions wait silently behind a button: three were left untouched in the last ten minutes. */
export const isSilent = (untouched: readonly Milliseconds[], now: Milliseconds): boolean =>
  untouched.length >= UNTOUCHED_LIMIT && untouched.every((at) => now - at < WINDOW_MS);
