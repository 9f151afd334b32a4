/** Runs a task after all that were handed in before it; settles as the task does. */
export type RunInTurn = <T>(task: () => T | Promise<T>) => Promise<T>;

/** What a queue does where a task fails. */
export interface SerialOptions {
  /**
   * Whether no task is run any more after one that threw; what was or is handed in rejects with the same error. For a
   * driver that crashes by such a throw: what was queued must not be done beside the one started in its place. False
   * when absent.
   */
  readonly stopsAtThrow?: boolean;
}

/** A queue of tasks of which never two run at once; one that fails does not keep the next from running. */
export function serial({ stopsAtThrow = false }: SerialOptions = {}): RunInTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const mine = last.then(task);
    last = stopsAtThrow ? mine : mine.catch(() => {});
    return mine;
  };
}
