import { type After, byTimer } from '#drivers/kit/rounds.ts';
import { BURST, FOREIGN_SUBJECTS, PAUSE_MS } from '#machines/entities/limits.ts';

export interface RateLimiterPlan<M> {
  /** Delivers a message, at once or when its turn comes. */
  readonly deliver: (message: M) => void;
  /** Merges two messages of one subject, the older of which has not been delivered yet. */
  readonly join: (older: M, newer: M) => M;
  /** True for a message that must not overtake a waiting message of its kind. */
  readonly isOrdered: (message: M) => boolean;
  /** True for a message whose subject anyone outside can make up. */
  readonly isForeign: (message: M) => boolean;
  /** Wraps the callbacks of the event loop and of timers. */
  readonly guard: (fn: () => void) => () => void;
  readonly after?: After;
  /** Calls back after one turn of the event loop. */
  readonly afterTurn?: (fn: () => void) => void;
}

/** Passes on messages from outside at a bounded rate. */
export interface RateLimiter<M> {
  readonly take: (subject: string, message: M) => void;
  /** Drops everything that waits, for a sender that has ended. */
  readonly clear: () => void;
  /** Delivers nothing more. */
  readonly stop: () => void;
}

/**
 * Bounds the cost of a flood. A bucket of tokens regains one per turn of the event loop. A message that finds it empty
 * waits, and so do later ones of the same subject (usually an entity): the newest wins, one per pause, until a pause
 * brings none. The last message of a subject is always delivered.
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
  /** How many of the waiting messages are ordered, and how many have foreign subjects. */
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
