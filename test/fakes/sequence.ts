/** Numbers that look random and are the same in every run (mulberry32): each is a whole number below what is given. */
export function sequence(from: number): (below: number) => number {
  let state = from;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
export type Random = ReturnType<typeof sequence>;

/** One of a list. */
export function pick<T>(random: Random, of: readonly T[]): T {
  const one = of[random(of.length)];
  if (one === undefined) throw new Error('there is nothing to pick from');
  return one;
}
