import type { Milliseconds } from '#machines/kit/units.ts';

import type { DriverScope } from './from-driver.ts';

/** Calls back once after so many milliseconds; returns how to take that back. */
export type After = (ms: Milliseconds, fn: () => void) => () => void;

/** The process's own timers. */
export const byTimer: After = (ms, fn) => {
  const timer = setTimeout(fn, ms);
  return () => clearTimeout(timer);
};

/** Work that is done again and again, never twice at once. */
export interface Rounds {
  /** Begins the next round now, or right after the one under way. */
  readonly now: () => void;
  /**
   * Begins the next round after so many milliseconds instead of when it was due; where one is under way that time
   * begins at its end, and the shortest that was asked for meanwhile counts.
   */
  readonly nextIn: (ms: Milliseconds) => void;
  /** Begins no more rounds; resolves when the one under way is over, and never rejects. */
  readonly stop: () => Promise<void>;
}

/**
 * Does `round` again and again; each answers how long the next one may wait. Nothing begins before `now` or `nextIn`
 * was called; a round that throws or rejects crashes the driver.
 */
export function rounds(
  { guard, signal }: Pick<DriverScope<never, unknown, never>, 'guard' | 'signal'>,
  round: () => Milliseconds | Promise<Milliseconds>,
  after: After = byTimer,
): Rounds {
  let cancel = (): void => {};
  let isUnderWay = false;
  let isStopped = false;
  /** The round under way, of one that does not answer at once. */
  let running: Promise<void> | null = null;
  /** What was asked for while a round was under way. */
  let asked: Milliseconds | null = null;

  const plan = (ms: Milliseconds): void => {
    cancel();
    if (!signal.aborted && !isStopped) cancel = after(ms, begin);
  };
  const ended = (ms: Milliseconds): void => {
    isUnderWay = false;
    running = null;
    const pause = asked ?? ms;
    const isNow = asked === 0;
    asked = null;
    if (isNow) begin();
    else plan(pause);
  };
  const begin = guard((): void | Promise<void> => {
    cancel();
    if (isStopped) return;
    isUnderWay = true;
    const pause = round();
    // What answers at once is planned at once: a sensor that is read fifty times a second makes no promises for it.
    if (typeof pause === 'number' && asked === null) {
      isUnderWay = false;
      return plan(pause);
    }
    running = Promise.resolve(pause).then(ended);
    return running;
  });
  return {
    now: () => {
      if (isUnderWay) asked = 0;
      else begin();
    },
    nextIn: (ms) => {
      if (isUnderWay) asked = Math.min(asked ?? ms, ms);
      else plan(ms);
    },
    stop: async () => {
      isStopped = true;
      cancel();
      await running?.catch(() => {});
    },
  };
}
