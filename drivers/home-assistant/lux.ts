import { luxInState, usableLux } from '#machines/kit/lux.ts';

/** A number from outside, held inside 0 to 100,000; null for what is no finite number. */
export const boundedLux = (value: unknown): number | null => (typeof value === 'number' ? usableLux(value) : null);

/** The light in a state from outside, held inside 0 to 100,000; null for what is no number. */
export const luxOf = (state: unknown): number | null => (typeof state === 'string' ? luxInState(state) : null);
