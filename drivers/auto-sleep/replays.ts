import type { Replay, ReplayAnswer, ReplayFault } from '#machines/auto-sleep/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

/** Shortest time from the begin of one replay to the next. */
const APART_MS: Milliseconds = 60_000;

/** What one replay led to. */
export type Replayed = { readonly fault: ReplayFault } | { readonly settled: Replay };

export interface Replays {
  /** The answer for the last `hours`; never rejects unless `run` does. */
  readonly of: (hours: number) => Promise<ReplayAnswer>;
  /** The sources are others now: what is settled is not of them. */
  readonly forget: () => void;
}

/** Replays the last hours: one at a time, and one a minute. Whatever fails keeps the last view that was complete. */
export function replays(run: (hours: number) => Promise<Replayed>, elapsed: () => Milliseconds): Replays {
  let settled: Replay | null = null;
  let running: { readonly hours: number; readonly answer: Promise<ReplayAnswer> } | null = null;
  let last: { readonly hours: number; readonly fault: ReplayFault | null } | null = null;
  let begunAt = -Infinity;
  let isStale = false;

  async function begin(hours: number): Promise<ReplayAnswer> {
    isStale = false;
    const replayed = await run(hours);
    const fault = 'fault' in replayed ? replayed.fault : null;
    if ('settled' in replayed) ({ settled } = replayed);
    last = { hours, fault };
    return { fault, settled };
  }
  /** Why an answer within the minute is not a new one. */
  function whyNot(hours: number): ReplayFault | null {
    if (isStale) return 'sources_changed';
    return last?.hours === hours ? last.fault : 'history_limit';
  }
  return {
    of: (hours) => {
      if (running !== null)
        return running.hours === hours ? running.answer : Promise.resolve({ fault: 'history_limit', settled });
      if (elapsed() - begunAt < APART_MS) return Promise.resolve({ fault: whyNot(hours), settled });
      begunAt = elapsed();
      const answer = begin(hours).finally(() => {
        running = null;
      });
      running = { hours, answer };
      return answer;
    },
    forget: () => {
      isStale = settled !== null;
    },
  };
}
