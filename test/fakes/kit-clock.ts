import { SimulatedClock } from 'xstate';

/** Lets pending promises settle; nothing waits for real time. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

/** A stepped clock: one big step of XState's own would fire only the first timer of a chain. */
export function createClock(start = 1_000_000) {
  const clock = new SimulatedClock();
  return {
    clock,
    now: (): number => start + clock.now(),
    /** Moves time on by `ms` in steps of `stepMs`. */
    pass: (ms: number, stepMs = 10): void => {
      for (let gone = 0; gone < ms; gone += stepMs) clock.increment(Math.min(stepMs, ms - gone));
    },
  };
}

/** The timers of a stepped clock, for what waits beside XState. */
export const timersOf = ({ clock, now }: ReturnType<typeof createClock>) => ({
  now,
  setTimeout: (fn: () => void, ms: number): unknown => clock.setTimeout(fn, ms),
  // Made by the function above, or undefined, which clears nothing.
  clearTimeout: (timer: unknown): void => clock.clearTimeout(timer as number),
});
