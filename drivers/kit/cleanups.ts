import type { AnyActorRef } from 'xstate';

/** Frees what the driver holds; runs exactly once, after a stop or a crash. A failure is only reported. */
export type Cleanup = () => void | Promise<void>;

type System = AnyActorRef['system'];

/** The cleanups of all drivers under one root actor; two agents in one process share none. */
export interface Cleanups {
  /** Runs one and reports its failure. */
  readonly run: (cleanup: Cleanup) => void;
  /** Sets the handler of cleanups that threw or rejected (the log); the last one set wins. */
  readonly onFailure: (handler: (error: unknown) => void) => void;
  /**
   * Resolves when no asynchronous cleanup is under way; unbounded, so a caller that waits before an exit must set a
   * bound.
   */
  readonly settled: () => Promise<void>;
}

/** True if the result of a call is a promise. */
export const isPromise = <T>(value: T | Promise<T>): value is Promise<T> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

function createCleanups(): Cleanups {
  const running = new Set<Promise<void>>();
  let handle: (error: unknown) => void = () => {};
  const report = (error: unknown): void => {
    try {
      handle(error);
    } catch {
      // The failure handler failed itself: there is no other place to report to.
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

/** By the system of the root actor, which all its drivers share and no other root has. */
const bySystem = new WeakMap<System, Cleanups>();

/** The cleanups of the root actor with this system: `root.system`, or `actor.system` of any actor below it. */
export function cleanupsOf(system: System): Cleanups {
  const known = bySystem.get(system);
  if (known !== undefined) return known;
  const made = createCleanups();
  bySystem.set(system, made);
  return made;
}
