import { describe, expect, it } from 'vitest';

import { speechFrames } from '#drivers/home-assistant/speech-frames.ts';

const HEAD = 7;
function start() {
  const frames: Buffer[] = [];
  const to = speechFrames(HEAD, (frame) => void frames.push(frame));
  return { ...to, frames, speech: () => frames.slice(1).map((frame) => frame.subarray(1)) };
}
/** So many bytes, each different from its neighbours. */
const sound = (bytes: number): Buffer => Buffer.from(Array.from({ length: bytes }, (_, at) => at % 251));

describe('the frames of speech', () => {
  it('begin with 0.8 s of silence in one', () => {
    const { frames } = start();
    expect(frames.map((frame) => frame.equals(Buffer.concat([Buffer.of(HEAD), Buffer.alloc(25_600)])))).toEqual([true]);
  });

  it.each([
    ['blocks of 20 ms', 640],
    ['blocks of 100 ms', 3200],
    ['odd pieces', 777],
    ['all at once', 40_001],
    ['single bytes', 1],
  ])('are 32 to 64 ms long, whole samples, and lose nothing, from %s', (_, size) => {
    const { samples, end, frames, speech } = start();
    const all = sound(40_001);
    for (let from = 0; from < all.length; from += size) samples(Buffer.from(all.subarray(from, from + size)));
    end();
    expect(frames.every((frame) => frame[0] === HEAD)).toBe(true);
    expect(frames.at(-1)).toEqual(Buffer.of(HEAD));
    const lengths = speech().map(({ length }) => length);
    expect(lengths.slice(0, -2).every((length) => length >= 1024 && length <= 2048 && length % 2 === 0)).toBe(true);
    // The half of a sample at the end is none.
    expect(Buffer.concat(speech()).equals(all.subarray(0, 40_000))).toBe(true);
  });

  it('keep their sound when the block is used again', () => {
    const { samples, end, speech } = start();
    const block = Buffer.alloc(640, 1);
    samples(block);
    block.fill(2);
    samples(block);
    block.fill(3);
    end();
    expect(Buffer.concat(speech())).toEqual(Buffer.concat([Buffer.alloc(640, 1), Buffer.alloc(640, 2)]));
  });

  it('end at once without any sound', () => {
    const { end, frames } = start();
    end();
    expect(frames.slice(1)).toEqual([Buffer.of(HEAD)]);
  });
});
