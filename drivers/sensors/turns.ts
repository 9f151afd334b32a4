/**
 * Readings that may be under way at once. One on a bus that hangs holds one of the process's four threads for files,
 * which the store and the pages need too.
 */
const MOST_READINGS = 2;

let free = MOST_READINGS;
const waiting: (() => void)[] = [];

/**
 * Takes a reading as soon as fewer than two others are under way, in the order of asking; settles as the reading does.
 */
export const inTurn = async <T>(read: () => Promise<T>): Promise<T> => {
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
