import type { SampleClock } from '#drivers/proximity/sampled.ts';

/** A clock that stands until a test moves it on. */
export interface SteppedClock extends SampleClock {
  /** Moves on by so many milliseconds; what is due on the way is done in order. */
  readonly pass: (ms: number) => void;
}

/** Makes one that begins at `start`, epoch milliseconds. */
export function steppedClock(start = 1_700_000_000_000): SteppedClock {
  let now = start;
  let due: { readonly at: number; readonly fn: () => void }[] = [];
  return {
    now: () => now,
    after: (ms, fn) => {
      const entry = { at: now + ms, fn };
      due.push(entry);
      return () => {
        due = due.filter((one) => one !== entry);
      };
    },
    pass: (ms) => {
      const end = now + ms;
      for (;;) {
        const [next] = due.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
        if (next === undefined) break;
        due = due.filter((one) => one !== next);
        now = Math.max(now, next.at);
        next.fn();
      }
      now = end;
    },
  };
}
