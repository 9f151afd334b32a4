import { describe, expect, it } from 'vitest';

import { sizeOfSps } from '#drivers/camera/sps.ts';

/** Parameter sets that x264 wrote for pictures of those sizes. */
const written: readonly (readonly [what: string, size: string, hex: string])[] = [
  ['baseline', '1280x720', '6742c01fda014016ec0440000003004000000302a3c60ca8'],
  ['a height that needs cropping', '640x360', '6742c016da0280bfe5c044000003000400000300283c58ba80'],
  ['the high profile', '1920x1080', '6742c028da01e0089f970110000003001000000300a0f1832a'],
  ['4:2:2', '854x480', '677a0016bcb406c1ef3780880000030008000003005078b175'],
  ['4:4:4', '322x242', '67f4000b91968150878f8fc044000003000400000300283c50aa80'],
  ['fields', '720x576', '674d4016f405a126c044000003000400000300287c50aa80'],
  ['grey', '64x48', '6764000af2d08f602d90000003001000000300a0f1226a'],
];

/** Writes a parameter set bit by bit. */
function bits(...parts: readonly (string | { readonly ue: number })[]): Buffer {
  const all = parts
    .map((part) => {
      if (typeof part === 'string') return part.replaceAll(' ', '');
      const code = (part.ue + 1).toString(2);
      return '0'.repeat(code.length - 1) + code;
    })
    .join('');
  const bytes = `${all}1`.padEnd(Math.ceil((all.length + 1) / 8) * 8, '0').match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}

const ue = (value: number): { readonly ue: number } => ({ ue: value });
const BASELINE = '01100111 01000010 00000000 00011111';
const HIGH = '01100111 01100100 00000000 00011111';
/** Reference frames, no gaps, 40 by 30 macroblocks, whole pictures, direct inference, no cropping, no further facts. */
const VGA = [ue(1), '0', ue(39), ue(29), '1', '1', '0', '0'] as const;

describe('the size in a sequence parameter set', () => {
  it.each(written)('is read from %s', (_, size, hex) => {
    const found = sizeOfSps(Buffer.from(hex, 'hex'));
    expect(found === null ? null : `${found.width}x${found.height}`).toBe(size);
  });

  it('is read behind a picture order of each kind', () => {
    for (const order of [[ue(0), ue(2)], [ue(2)], [ue(1), '0', ue(3), ue(4), ue(2), ue(1), ue(2)]]) {
      expect(sizeOfSps(bits(BASELINE, ue(0), ue(0), ...order, ...VGA))).toEqual({ width: 640, height: 480 });
    }
  });

  it('is read behind scaling lists', () => {
    // The first list is written out, the second falls back at once, six are left out.
    const lists = ['1', ...Array.from({ length: 16 }, () => ue(0)), '1', ue(16), '000000'];
    const set = bits(HIGH, ue(0), ue(1), ue(0), ue(0), '0', '1', ...lists, ue(0), ue(0), ue(0), ...VGA);
    expect(sizeOfSps(set)).toEqual({ width: 640, height: 480 });
  });

  it('is null where there is none', () => {
    const [, , hex = ''] = written[0] ?? [];
    const whole = Buffer.from(hex, 'hex');
    for (let length = 0; length < 8; length += 1) expect(sizeOfSps(whole.subarray(0, length))).toBeNull();
    expect(sizeOfSps(Buffer.from(hex.replace(/^67/, '68'), 'hex'))).toBeNull();
    expect(sizeOfSps(Buffer.concat([whole.subarray(0, 4), Buffer.alloc(64)]))).toBeNull();
  });

  it('is null where no camera has it', () => {
    const huge = [ue(1), '0', ue(4095), ue(29), '1', '1', '0', '0'];
    expect(sizeOfSps(bits(BASELINE, ue(0), ue(0), ue(2), ...huge))).toBeNull();
    const cropped = [ue(1), '0', ue(0), ue(0), '1', '1', '1', ue(4), ue(4), ue(0), ue(0), '0'];
    expect(sizeOfSps(bits(BASELINE, ue(0), ue(0), ue(2), ...cropped))).toBeNull();
  });

  it('never throws, whatever the bytes are', () => {
    let seed = 7;
    const random = (): number => (seed = (seed * 48_271) % 2_147_483_647);
    for (let run = 0; run < 2000; run += 1) {
      const nal = Buffer.from(Array.from({ length: random() % 40 }, (_, at) => (at === 0 ? 0x67 : random() % 256)));
      const size = sizeOfSps(nal);
      if (size !== null) expect(Math.max(size.width, size.height)).toBeLessThanOrEqual(8192);
    }
  });
});
