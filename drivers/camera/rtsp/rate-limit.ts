import type { Milliseconds } from '#machines/kit/units.ts';

/** Counts within seconds; true while the count of this second is within the limit. */
export function rateLimit(perSecond: number, elapsed: () => Milliseconds): (count: number) => boolean {
  let from = elapsed();
  let counted = 0;
  return (count) => {
    const now = elapsed();
    if (now - from >= 1000) {
      from = now;
      counted = 0;
    }
    counted += count;
    return counted <= perSecond;
  };
}
