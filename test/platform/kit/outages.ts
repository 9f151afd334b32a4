/** What goes away, and how. */
type Outage = 'home killed' | 'home restarted' | 'home frozen' | 'broker killed' | 'broker frozen';

/** One cycle of a script: what goes away, for how long where it is frozen, and what the panel is set to meanwhile. */
export interface Cycle {
  readonly outage: Outage;
  readonly frozenMs: number;
  /** 1 to 100. */
  readonly volume: number;
  /** 1 to 255. */
  readonly brightness: number;
}

/** Numbers in [0, 1) that follow from a seed (mulberry32). */
export function drawn(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * So many cycles in an order that follows from the seed: one in ten ends Home Assistant, two in ten the broker, and the
 * rest freezes one of them for up to `longestMs`; fewer than ten are freezes alone.
 */
export function outages(count: number, seed: number, longestMs: number): readonly Cycle[] {
  const draw = drawn(seed);
  const between = (low: number, high: number): number => low + Math.floor(draw() * (high - low + 1));
  const kinds = Array.from({ length: count }, (_, at): Outage => {
    if (count < 10) return at % 2 === 0 ? 'home frozen' : 'broker frozen';
    if (at % 10 === 3) return at % 20 === 3 ? 'home killed' : 'home restarted';
    if (at % 10 === 6 || at % 10 === 9) return 'broker killed';
    return draw() < 0.5 ? 'home frozen' : 'broker frozen';
  });
  return kinds
    .map((outage) => ({ outage, place: draw() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ outage }) => ({
      outage,
      frozenMs: between(200, longestMs),
      volume: between(1, 100),
      brightness: between(1, 255),
    }));
}
