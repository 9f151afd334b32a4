import type { AnyActorRef } from 'xstate';

/** Frees what the driver holds; runs exactly once, after a stop or a crash. A failure in it is only reported. */
export type Cleanup = () => void | Promise<void>;

type System = AnyActorRef['system'];

/** The cleanups of all drivers under one root actor; two agents in one process share nothing of it. */
export interface Cleanups {
  /** Runs one, and reports its failure. */
  readonly run: (cleanup: Cleanup) => void;
  /** Says who hears of cleanups that threw or rejected (the log); the last one set wins. */
  readonly onFailure: (handler: (error: unknown) => void) => void;
  /** Resolves when no asynchronous cleanup is under way; who waits for this before an exit has a bound of its own. */
  readonly settled: () => Promise<void>;
}

/** Whether a call that may be asynchronous was. */
export const isPromise = <T>(value: T | Promise<T>): value is Promise<T> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

function createCleanups(): Cleanups {
  const running = new Set<Promise<void>>();
  let handle: (error: unknown) => void = () => {};
  const report = (error: unknown): void => {
    try {
      handle(error);
    } catch {
      // The handler of failures failed itself: nobody is left to report to.
    }
  };
  return {
    run: (cleanup) => {
      try {
        const result = cleanup();
        if (!isPromise(result)) return;
        const settled: Promise<void> = result.then(undefined, report).finally(() => running.delete(settled));
        running.add(settled);
      } catch (error) {
        report(error);
      }
    },
    onFailure: (handler) => {
      handle = handler;
    },
    settled: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** By the system of the root actor, which all its drivers see and no other root has. */
const bySystem = new WeakMap<System, Cleanups>();

/** The cleanups of the root actor whose system that is: `root.system`, or `actor.system` of anything below it. */
export function cleanupsOf(system: System): Cleanups {
  const known = bySystem.get(system);
  if (known !== undefined) return known;
  const made = createCleanups();
  bySystem.set(system, made);
  return made;
}
