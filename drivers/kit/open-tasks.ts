/** What is not closed yet, such as a recording, also of a part that has ended since. */
export interface OpenTasks {
  /** Counts one until `done` has settled. */
  readonly add: (done: Promise<void>) => void;
  /** Resolves once none is open; never rejects. */
  readonly closed: () => Promise<void>;
}

export function createOpenTasks(): OpenTasks {
  const open = new Set<Promise<void>>();
  return {
    add: (done) => {
      const settled: Promise<void> = done.catch(() => {}).finally(() => open.delete(settled));
      open.add(settled);
    },
    closed: async () => {
      // oxlint-disable-next-line no-await-in-loop -- another one may have been opened meanwhile
      while (open.size > 0) await Promise.all(open);
    },
  };
}
