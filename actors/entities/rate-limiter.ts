import { type After, byTimer } from '#drivers/kit/rounds.ts';
import { BURST, FOREIGN_SUBJECTS, PAUSE_MS } from '#machines/entities/limits.ts';

/** What is limited, and how. */
export interface RateLimiterPlan<M> {
  /** Carries a message out, now or when it is its turn. */
  readonly deliver: (message: M) => void;
  /** What two messages of one subject come to, of which the older one has not been carried out yet. */
  readonly join: (older: M, newer: M) => M;
  /** True for a message that must not overtake another of this kind that waits. */
  readonly isOrdered: (message: M) => boolean;
  /** True for a message whose subject anybody outside can make up. */
  readonly isForeign: (message: M) => boolean;
  /** Wraps what the event loop and timers call. */
  readonly guard: (fn: () => void) => () => void;
  readonly after?: After;
  /** Calls back once the event loop has turned. */
  readonly afterTurn?: (fn: () => void) => void;
}

/** What comes from outside, on its way to those who carry it out. */
export interface RateLimiter<M> {
  readonly take: (subject: string, message: M) => void;
  /** Drops all that waits: its sender has ended. */
  readonly clear: () => void;
  /** Carries nothing out any more. */
  readonly stop: () => void;
}

/**
 * Bounds what a flood costs. A bucket of tokens gets one back in each turn of the event loop; who finds it empty waits,
 * and so do later messages of the same subject (an entity, mostly): the newest wins, one in each pause, until a pause
 * brings none. The last message of a subject is always carried out.
 */
export function createRateLimiter<M>({
  deliver,
  join,
  isOrdered,
  isForeign,
  guard,
  after = byTimer,
  afterTurn = setImmediate,
}: RateLimiterPlan<M>): RateLimiter<M> {
  let tokens = BURST;
  const flooded = new Set<string>();
  const waiting = new Map<string, M>();
  /** Of those that wait, how many are ordered, and how many have foreign subjects. */
  let ordered = 0;
  let foreign = 0;
  let cancel: (() => void) | null = null;

  const refill = guard(() => {
    tokens += 1;
    if (tokens < BURST) afterTurn(refill);
  });
  const clear = (): void => {
    waiting.clear();
    ordered = 0;
    foreign = 0;
  };
  const endPause = guard(() => {
    cancel = null;
    const due = [...waiting];
    clear();
    flooded.clear();
    for (const [subject] of due) flooded.add(subject);
    if (flooded.size > 0) cancel = after(PAUSE_MS, endPause);
    for (const [, message] of due) deliver(message);
  });
  const wait = (subject: string, message: M): void => {
    const older = waiting.get(subject);
    if (older === undefined) {
      if (isForeign(message)) {
        if (foreign >= FOREIGN_SUBJECTS) return;
        foreign += 1;
      }
      if (isOrdered(message)) ordered += 1;
    } else if (isOrdered(message)) waiting.delete(subject);
    waiting.set(subject, older === undefined ? message : join(older, message));
    flooded.add(subject);
    cancel ??= after(PAUSE_MS, endPause);
  };

  return {
    take: (subject, message) => {
      if (tokens === 0 || flooded.has(subject) || (ordered > 0 && isOrdered(message))) {
        wait(subject, message);
        return;
      }
      if (tokens === BURST) afterTurn(refill);
      tokens -= 1;
      deliver(message);
    },
    clear,
    stop: () => cancel?.(),
  };
}
