import type { Sound } from './wav.ts';

/** Length of one value of an envelope, in milliseconds. */
export const STEP_MS = 10;

/** The loudness (RMS, 0 to 32,767) of each 10 ms of a sound. */
export function envelopeOf({ rate, pcm }: Sound): readonly number[] {
  const [length, count] = [Math.round((rate * STEP_MS) / 1000), Math.floor(pcm.length / 2)];
  return Array.from({ length: Math.floor(count / length) }, (_, step) => {
    let sum = 0;
    for (let n = 0; n < length; n += 1) sum += pcm.readInt16LE((step * length + n) * 2) ** 2;
    return Math.sqrt(sum / length);
  });
}

/** Loudness above which there is sound. */
export const AUDIBLE = 100;

/** The envelope from its first to its last audible value. */
export const trimmed = (envelope: readonly number[]): readonly number[] =>
  envelope.slice(
    envelope.findIndex((value) => value > AUDIBLE),
    envelope.findLastIndex((value) => value > AUDIBLE) + 1,
  );

/** Pearson's correlation of `pattern` with as many values of `of` from `at` on. */
function correlation(of: readonly number[], at: number, pattern: readonly number[]): number {
  const there = of.slice(at, at + pattern.length);
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanThere, meanPattern] = [mean(there), mean(pattern)];
  let [both, one, other] = [0, 0, 0];
  for (const [n, value] of pattern.entries()) {
    const [a, b] = [(there[n] ?? 0) - meanThere, value - meanPattern];
    both += a * b;
    one += a * a;
    other += b * b;
  }
  return one === 0 || other === 0 ? 0 : both / Math.sqrt(one * other);
}

/** Where in `of` the envelope `pattern` fits best. */
export function bestFit(of: readonly number[], pattern: readonly number[]): number {
  let best = { at: -1, likeness: 0 };
  for (let at = 0; at + pattern.length <= of.length; at += 1) {
    const likeness = correlation(of, at, pattern);
    if (likeness > best.likeness) best = { at, likeness };
  }
  return best.at;
}
