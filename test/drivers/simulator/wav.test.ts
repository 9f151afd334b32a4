import { describe, expect, it } from 'vitest';

import { samplesOf } from '#drivers/simulator/wav.ts';

import { wavFile } from './wav-file.ts';

function numbers(file: Buffer): readonly number[] | string {
  const samples = samplesOf(file);
  if (!samples.ok) return samples.message;
  return Array.from({ length: samples.value.length / 2 }, (_, at) => samples.value.readInt16LE(at * 2));
}
const ramp = [0, 1000, 2000, 3000];
/** The extension of the format chunk, whose GUID begins with the real format. */
const extension = (tag: number): Buffer => Buffer.from([22, 0, 16, 0, 0, 0, 0, 0, tag, ...Array<number>(15).fill(0)]);

describe('a WAV file', () => {
  it.each<[string, Buffer, readonly number[]]>([
    ['at 16 kHz is taken as it is', wavFile([...ramp, -32_768, 32_767]), [...ramp, -32_768, 32_767]],
    ['at 8 kHz gets samples in between', wavFile(ramp, { rate: 8000 }), [0, 500, 1000, 1500, 2000, 2500, 3000, 3000]],
    ['at 32 kHz loses every second one', wavFile(ramp, { rate: 32_000 }), [0, 2000]],
    ['at 24 kHz', wavFile([0, 300, 600, 900, 1200, 1500], { rate: 24_000 }), [0, 450, 900, 1350]],
    ['in stereo becomes one channel', wavFile([100, 300, -100, -300], { channels: 2 }), [200, -200]],
    ['of the extensible format', wavFile(ramp, { tag: 0xfffe, more: extension(1) }), ramp],
    ['of a program that could not fill in the length', wavFile(ramp, { length: 0xffff_ffff }), ramp],
    ['with an odd chunk before', wavFile(ramp, { before: Buffer.from('LIST\x03\0\0\0abc\0', 'latin1') }), ramp],
  ])('%s', (_, file, expected) => expect(numbers(file)).toEqual(expected));

  it.each<[string, Buffer, RegExp]>([
    ['of another kind', Buffer.from('OggS'), /not a WAV file/],
    ['without a byte', Buffer.alloc(0), /not a WAV file/],
    ['of 24 bits', wavFile(ramp, { bits: 24 }), /16-bit PCM/],
    ['of floating numbers', wavFile(ramp, { tag: 3 }), /16-bit PCM/],
    ['of floating numbers, extensible', wavFile(ramp, { tag: 0xfffe, more: extension(3) }), /16-bit PCM/],
    ['of an extensible format that is cut off', wavFile(ramp, { tag: 0xfffe }), /16-bit PCM/],
    ['with no channel', wavFile(ramp, { channels: 0 }), /one or two channels/],
    ['with six channels', wavFile(ramp, { channels: 6 }), /one or two channels/],
    ['at 1 Hz', wavFile(ramp, { rate: 1 }), /8000 to 192000/],
    ['at 4 GHz', wavFile(ramp, { rate: 0xffff_ffff }), /8000 to 192000/],
    ['without samples', wavFile([]), /no samples/],
    ['longer than a minute', wavFile(Array<number>(8000 * 60 + 1).fill(1), { rate: 8000 }), /60 seconds/],
    ['without a format', wavFile(ramp).fill('x', 12, 16), /no format/],
    ['cut off in its format', wavFile(ramp).subarray(0, 30), /no format|cut off/],
  ])('%s is refused', (_, file, reason) => expect(numbers(file)).toMatch(reason));

  it('that is damaged anywhere is read or refused, and never breaks the reader', () => {
    const whole = wavFile(ramp, { more: extension(1), tag: 0xfffe });
    for (let at = 0; at < whole.length; at += 1) {
      for (const value of [0, 1, 127, 255]) {
        const damaged = Buffer.from(whole);
        damaged[at] = value;
        expect(() => [numbers(damaged), numbers(damaged.subarray(0, at))]).not.toThrow();
      }
    }
  });
});
