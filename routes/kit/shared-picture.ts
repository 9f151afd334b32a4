import type { Milliseconds } from '#machines/kit/units.ts';

/** How long a picture is shared while the panel shows the same page. */
export const sharedForMs: Milliseconds = 5_000;

interface Taken<T> {
  readonly of: string;
  readonly at: number;
  readonly picture: Promise<T>;
}

/**
 * Shares pictures among viewers: a request gets the newest picture of the same page, also one that is being taken, if
 * that began at most five seconds ago. So any number of viewers costs one picture. Refusals are shared as well.
 */
export function createSharedPicture<T>(take: () => Promise<T>, elapsed: () => number): (of: string) => Promise<T> {
  let newest: Taken<T> | null = null;
  return (of) => {
    const at = elapsed();
    if (newest === null || newest.of !== of || at - newest.at > sharedForMs) {
      const picture = take();
      newest = { of, at, picture };
      picture.catch(() => {
        if (newest?.picture === picture) newest = null;
      });
    }
    return newest.picture;
  };
}
