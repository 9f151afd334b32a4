/** Bright sunlight; a sensor that reports more is held there. */
const MAX_LUX = 100_000;
/** A number as Home Assistant writes one in a state; no other spelling that JavaScript reads, such as "" or "0x1". */
const NUMBER = /^[+-]?\d+(\.\d*)?(e[+-]?\d+)?$/i;

/** A number from outside, held inside 0 to 100,000; null for what is no finite number. */
export const boundedLux = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? Math.min(MAX_LUX, Math.max(0, value)) : null;

/** The number in a state, held inside 0 to 100,000; null for `unavailable`, `unknown` and what is no number. */
export const luxOf = (state: unknown): number | null =>
  typeof state === 'string' && NUMBER.test(state) ? boundedLux(Number(state)) : null;
