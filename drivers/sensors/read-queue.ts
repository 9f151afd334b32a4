/** Runs a read when its turn comes, first come, first served; settles as the read does. */
export type ReadInTurn = <T>(read: () => Promise<T>) => Promise<T>;

/**
 * Largest number of concurrent reads. One on a hanging bus occupies one of libuv's four worker threads, which the store
 * and the pages need too.
 */
const MAX_CONCURRENT_READS = 2;

/** Creates the queue in which the sensors of one panel are read, at most two at once. */
export function createReadQueue(): ReadInTurn {
  let free = MAX_CONCURRENT_READS;
  const waiting: (() => void)[] = [];
  return async (read) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => void waiting.push(resolve));
    try {
      return await read();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
