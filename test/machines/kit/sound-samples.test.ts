import { describe, expect, it } from 'vitest';

import { addSound, amplify, bytesOfSound, levelOfPeak, noSound, soundMs } from '#machines/kit/sound-samples.ts';

const pcm = (...samples: readonly number[]): Buffer => Buffer.from(Int16Array.from(samples).buffer);
const samplesOf = (bytes: Buffer): readonly number[] =>
  Array.from({ length: bytes.length / 2 }, (_, at) => bytes.readInt16LE(at * 2));

describe('the figures of sound', () => {
  it.each<[readonly number[], object]>([
    [[], { samples: 0, peak: 0, clipped: 0 }],
    [[0, 0, 0], { samples: 3, peak: 0, clipped: 0, low: 0, high: 0 }],
    [[5, -7, 2], { samples: 3, peak: 7, clipped: 0, low: -7, high: 5 }],
    [[32_759, 32_760, 32_767, -32_760, -32_768], { samples: 5, peak: 32_768, clipped: 4 }],
  ])('%j are %o', (samples, expected) => expect(addSound(noSound, pcm(...samples))).toMatchObject(expected));

  it('add up over blocks, wherever in memory they are and without an odd byte', () => {
    const bytes = Buffer.concat([Buffer.alloc(1), pcm(100, -200), Buffer.from([1])]).subarray(1);
    expect(addSound(addSound(noSound, pcm(150)), bytes)).toEqual({
      samples: 3,
      peak: 200,
      clipped: 0,
      low: -200,
      high: 150,
    });
  });

  it.each([
    [0, 0],
    [1, 1],
    [16_384, 50],
    [32_767, 100],
    [32_768, 100],
  ])('have for a peak of %i the level %i', (peak, level) => expect(levelOfPeak(peak)).toBe(level));
});

describe('the gain', () => {
  it.each([
    [0, [100, -100], [100, -100]],
    [6, [1000, -1000], [1995, -1995]],
    [-6, [1000, -1000], [501, -501]],
    [24, [20_000, -20_000, 1], [32_767, -32_768, 16]],
    [-24, [32_767, -32_768], [2067, -2068]],
  ])('of %i dB makes %j to %j', (gainDb, samples, expected) => {
    const bytes = pcm(...samples);
    amplify(bytes, gainDb);
    expect(samplesOf(bytes)).toEqual(expected);
  });
});

describe('lengths', () => {
  it('are whole samples', () => {
    expect([bytesOfSound(1000), bytesOfSound(20), bytesOfSound(0.1), bytesOfSound(3000)]).toEqual([
      32_000, 640, 2, 96_000,
    ]);
    expect(soundMs(32_000)).toBe(1000);
  });
});
