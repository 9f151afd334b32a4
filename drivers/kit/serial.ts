/** Runs a task after all that were handed in before it; settles as the task does. */
export type RunInTurn = <T>(task: () => T | Promise<T>) => Promise<T>;

/** A queue of tasks of which never two run at once; one that fails does not keep the next from running. */
export const serial = (): RunInTurn => {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const mine = last.then(task);
    last = mine.catch(() => {});
    return mine;
  };
};
