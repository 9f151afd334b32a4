import { setImmediate as nextTurn } from 'node:timers/promises';

/** Runs work in slices, with other work of the process in between; null once `isOver`. */
export async function pump<T>(work: Generator<void, T>, isOver: () => boolean): Promise<T | null> {
  for (;;) {
    if (isOver()) return null;
    const slice = work.next();
    if (slice.done === true) return slice.value;
    await nextTurn();
  }
}
