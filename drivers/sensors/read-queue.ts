/** Takes a reading as soon as it is its turn, in the order of asking; settles as the reading does. */
export type ReadInTurn = <T>(read: () => Promise<T>) => Promise<T>;

/**
 * Readings that may be under way at once. One on a bus that hangs holds one of the process's four threads for files,
 * which the store and the pages need too.
 */
const MOST_READINGS = 2;

/** The turns in which the sensors of one panel are read: never more than two at once. */
export function createReadQueue(): ReadInTurn {
  let free = MOST_READINGS;
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
