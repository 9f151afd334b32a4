import type { Milliseconds } from '#machines/kit/units.ts';

import type { DriverScope } from './from-driver.ts';

/** Calls back once after `ms`; returns the function that cancels it. */
export type After = (ms: Milliseconds, fn: () => void) => () => void;

export const byTimer: After = (ms, fn) => {
  const timer = setTimeout(fn, ms);
  return () => clearTimeout(timer);
};

/** Repeated work, never two rounds at once. */
export interface Rounds {
  /** Begins the next round now, or right after the one under way. */
  readonly now: () => void;
  /**
   * Begins the next round after `ms` instead of when it was due. During a round the time counts from its end, and the
   * shortest of several requests wins.
   */
  readonly nextIn: (ms: Milliseconds) => void;
  /** Begins no more rounds; resolves when the one under way is over, never rejects. */
  readonly stop: () => Promise<void>;
}

/**
 * Repeats `round`, which returns how long the next one may wait. Nothing begins before `now` or `nextIn` is called; a
 * round that throws or rejects crashes the driver.
 */
export function rounds(
  { guard, signal }: Pick<DriverScope<never, unknown, never>, 'guard' | 'signal'>,
  round: () => Milliseconds | Promise<Milliseconds>,
  after: After = byTimer,
): Rounds {
  let cancel = (): void => {};
  let isUnderWay = false;
  let isStopped = false;
  /** The asynchronous round under way. */
  let running: Promise<void> | null = null;
  /** The pause requested during a round. */
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
    // A synchronous round is planned synchronously: a sensor that is read fifty times a second creates no promises.
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
