import { clamp } from './units.ts';

/** The most light that counts, in lx: direct sunlight. A sensor that reports more is held there. */
export const MAX_LUX = 100_000;

/** `value` held inside 0 to 100,000 lx; null if it is not a finite number. */
export const usableLux = (value: number): number | null => (Number.isFinite(value) ? clamp(value, 0, MAX_LUX) : null);

/** A number as Home Assistant writes one in a state; no other spelling that JavaScript reads, such as "" or "0x1". */
const NUMBER = /^[+-]?\d+(\.\d*)?(e[+-]?\d+)?$/i;

/** The light in the state of an entity; null for `unavailable`, `unknown` and what is no number. */
export const luxInState = (state: string): number | null => (NUMBER.test(state) ? usableLux(Number(state)) : null);
