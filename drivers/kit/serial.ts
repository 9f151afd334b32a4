/** Runs a task after all queued before it; settles as the task does. */
export type RunInTurn = <T>(task: () => T | Promise<T>) => Promise<T>;

export interface SerialOptions {
  /**
   * True to run no more tasks after one that threw; queued and later ones reject with the same error. For a driver that
   * crashes by the throw: its queue must not run beside the driver started in its place. False by default.
   */
  readonly stopsAtThrow?: boolean;
}

/** A queue of tasks, never two at once. By default the next one runs even if one fails. */
export function serial({ stopsAtThrow = false }: SerialOptions = {}): RunInTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const mine = last.then(task);
    last = stopsAtThrow ? mine : mine.catch(() => {});
    return mine;
  };
}
