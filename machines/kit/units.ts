/** A point in time as milliseconds since the Unix epoch. */
export type EpochMs = number;

/** A span of time in milliseconds, never negative. */
export type Milliseconds = number;

/** A whole percentage, 0 to 100. */
export type Percent = number;

/** `value` limited to `[low, high]`. */
export const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));
