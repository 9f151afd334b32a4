import type { LightMinute, Place } from '#machines/auto-brightness/events.ts';
import { logOf } from '#machines/auto-brightness/lux.ts';

export const MINUTE = 60_000;

/** A minute of constant light, all of it baseline unless said otherwise. */
export const row = (minute: number, lux: number, part: Partial<LightMinute> = {}): LightMinute => ({
  minute,
  luxMs: lux * MINUTE,
  coveredMs: MINUTE,
  min: lux,
  max: lux,
  last: lux,
  samples: 1,
  baselineLogMs: logOf(lux) * (part.baselineMs ?? MINUTE),
  baselineMs: MINUTE,
  ...part,
});

/** The Gulf of Guinea, where clocks show UTC. */
export const guinea: Place = { latitude: 0, longitude: 0, timeZone: 'Etc/UTC' };

/** What a generator returns, and how often it paused. */
export function completed<T>(steps: Generator<void, T>): { readonly value: T; readonly pauses: number } {
  for (let pauses = 0; ; pauses += 1) {
    const step = steps.next();
    if (step.done === true) return { value: step.value, pauses };
  }
}
