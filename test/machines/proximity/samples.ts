/** A stretch of a recorded-like series: a level, how long it lasts, and the noise on it. */
export interface Stretch {
  readonly raw: number;
  readonly ms: number;
  /** Largest departure of the noise on either side. */
  readonly noise?: number;
}

/** One sample of a series. */
export interface Sample {
  readonly raw: number;
  readonly at: number;
}

/** The same noise on every run: a linear congruential sequence in -1 to 1. */
const noiseOf = (index: number): number => ((index * 1_103_515_245 + 12_345) % 2_147_483_648) / 1_073_741_824 - 1;

/** The samples of these stretches at `hz` each second from `start` on; ranged sensors give whole numbers. */
export function series(
  stretches: readonly Stretch[],
  { hz = 20, start = 1_000_000 }: { readonly hz?: number; readonly start?: number } = {},
): readonly Sample[] {
  const step = 1000 / hz;
  const samples: Sample[] = [];
  let at = start;
  for (const { raw, ms, noise = 0 } of stretches) {
    for (const end = at + ms; at < end; at += step)
      samples.push({ raw: Math.round(raw + noise * noiseOf(samples.length)), at });
  }
  return samples;
}
