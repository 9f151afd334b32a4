import type { Milliseconds } from '#machines/kit/units.ts';

/** Pauses after lookups that failed, in milliseconds; the last one repeats. */
const RETRIES: readonly Milliseconds[] = [60_000, 300_000, 3_600_000];

/** When something is looked up next. */
export interface Lookup {
  /** On the monotonic clock; infinite if it is not wanted, or under way. */
  readonly dueAt: () => Milliseconds;
  /** Wants it at this moment, however often it failed before. */
  readonly wantAt: (at: Milliseconds) => void;
  readonly cancel: () => void;
  /** Looks it up if it is due; a failure is retried, and an answer after `cancel` or `wantAt` is dropped. */
  readonly run: (elapsed: () => Milliseconds) => Promise<void>;
}

/** Repeats a lookup until it succeeds; `look` returns null for a failure. */
export function lookup<T>(look: () => Promise<T | null>, take: (found: T) => void): Lookup {
  let dueAt = Infinity;
  let failures = 0;
  let turn = 0;
  const wantAt = (at: Milliseconds): void => {
    turn += 1;
    failures = 0;
    dueAt = at;
  };
  return {
    dueAt: () => dueAt,
    wantAt,
    cancel: () => wantAt(Infinity),
    run: async (elapsed) => {
      if (elapsed() < dueAt) return;
      dueAt = Infinity;
      const mine = turn;
      const found = await look();
      if (mine !== turn) return;
      if (found !== null) {
        take(found);
        return;
      }
      dueAt = elapsed() + (RETRIES[Math.min(failures, RETRIES.length - 1)] ?? 0);
      failures += 1;
    },
  };
}
