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
 * that began at most five seconds ago. So any number of viewers costs one picture. Refusals are shared as
 * well, and nothing is kept for longer.
 */
export function createSharedPicture<T>(take: () => Promise<T>, elapsed: () => number): (of: string) => Promise<T> {
  let newest: Taken<T> | null = null;
  return (of) => {
    const at = elapsed();
    if (newest === null || newest.of !== of || at - newest.at > sharedForMs) {
      const taken: Taken<T> = { of, at, picture: take() };
      const forget = (): void => {
        if (newest === taken) newest = null;
      };
      newest = taken;
      // A picture has up to some megabytes, and shows what is private once the page is gone.
      setTimeout(forget, sharedForMs + 1).unref();
      taken.picture.catch(forget);
    }
    return newest.picture;
  };
}
