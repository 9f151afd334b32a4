import { describe, expect, it } from 'vitest';

import { BrokenStreamError, createFlvReader, MOST_TAG_BYTES } from '#drivers/camera/flv.ts';

import { configuration, head, nal, picture, pps, sps, tag } from './flv-stream.ts';

const key = nal(5, 1, 2, 3);
const between = nal(1, 9);

const stream = Buffer.concat([
  head,
  // Facts of the stream, which nothing reads.
  tag(Buffer.from([2, 0, 1]), { type: 18 }),
  tag(configuration()),
  tag(picture(true, nal(9), nal(6, 5), nal(7), nal(8), key, key)),
  tag(picture(false, between), { timestampMs: 67 }),
  tag(picture(false, nal(12)), { timestampMs: 100 }),
  tag(Buffer.from([0x17, 2, 0, 0, 0]), { timestampMs: 133 }),
  tag(picture(true, key), { timestampMs: 0x0100_0085 }),
]);

const items = [
  { kind: 'format', format: { sps, pps, width: 1280, height: 720 } },
  { kind: 'unit', unit: { nals: [key, key], timestampMs: 0, isKey: true } },
  { kind: 'unit', unit: { nals: [between], timestampMs: 67, isKey: false } },
  { kind: 'unit', unit: { nals: [key], timestampMs: 0x0100_0085, isKey: true } },
];

const readAll = (bytes: Buffer) => createFlvReader().push(bytes);

describe('reading a stream of the encoder', () => {
  it('gives the format, and each picture without what is not part of it', () => {
    expect(readAll(stream)).toEqual(items);
  });

  it('gives the same however the bytes come', () => {
    for (const size of [1, 2, 3, 7, 11, 64]) {
      const reader = createFlvReader();
      const found = Array.from({ length: Math.ceil(stream.length / size) }, (_, at) =>
        reader.push(stream.subarray(at * size, at * size + size)),
      );
      expect(found.flat()).toEqual(items);
    }
  });

  it('gives each picture as soon as its last byte is there', () => {
    const reader = createFlvReader();
    const first = Buffer.concat([head, tag(configuration()), tag(picture(true, key))]);
    expect(reader.push(first.subarray(0, -1))).toHaveLength(1);
    expect(reader.push(first.subarray(-1))).toHaveLength(1);
  });

  it('keeps nothing of the bytes that it was given', () => {
    const bytes = Buffer.from(stream);
    const found = readAll(bytes);
    bytes.fill(0);
    expect(found).toEqual(items);
  });

  it('adds the delay of a picture to its time', () => {
    const late = picture(true, key);
    late.writeIntBE(-7, 2, 3);
    expect(readAll(Buffer.concat([head, tag(configuration()), tag(late, { timestampMs: 40 })]))[1]).toMatchObject({
      unit: { timestampMs: 33 },
    });
  });

  const cut = picture(true, key);
  const tooLarge = Buffer.alloc(11);
  tooLarge[0] = 9;
  tooLarge.writeUIntBE(MOST_TAG_BYTES + 1, 1, 3);
  const wrongEnd = tag(configuration());
  wrongEnd[wrongEnd.length - 1] = 1;
  const withoutPps = configuration().subarray(0, -6);
  const broken: readonly (readonly [string, Buffer])[] = [
    ['does not begin as one', Buffer.from('RIFF.........')],
    ['has a tag beyond the bound', Buffer.concat([head, tooLarge])],
    ['repeats a size wrongly', Buffer.concat([head, wrongEnd])],
    ['has another codec', Buffer.concat([head, tag(Buffer.from([0x12, 0, 0, 0, 0]))])],
    ['has an empty video tag', Buffer.concat([head, tag(Buffer.alloc(0))])],
    ['has a picture before its configuration', Buffer.concat([head, tag(picture(true, key))])],
    ['has a picture that is cut off', Buffer.concat([head, tag(configuration()), tag(cut.subarray(0, -1))])],
    ['has a length that is cut off', Buffer.concat([head, tag(configuration()), tag(cut.subarray(0, 7))])],
    ['has no picture parameters', Buffer.concat([head, tag(Buffer.concat([withoutPps, Buffer.from([0])]))])],
    ['has a set that is cut off', Buffer.concat([head, tag(configuration().subarray(0, 20))])],
    [
      'has a configuration of another version',
      Buffer.concat([head, tag(Buffer.from([0x17, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0]))]),
    ],
    ['has a set that cannot be read', Buffer.concat([head, tag(configuration(Buffer.from([0x67, 0x42])))])],
    [
      'has more units in a picture than any',
      Buffer.concat([head, tag(configuration()), tag(picture(true, ...Array.from({ length: 513 }, () => key)))]),
    ],
  ];
  it.each(broken)('refuses one that %s', (_, bytes) => {
    expect(() => readAll(bytes)).toThrow(BrokenStreamError);
  });

  it('throws nothing else, whatever is changed in it', () => {
    let seed = 11;
    const random = (most: number): number => (seed = (seed * 48_271) % 2_147_483_647) % most;
    for (let run = 0; run < 1000; run += 1) {
      const bytes = Buffer.from(stream);
      for (let change = 0; change < 3; change += 1) bytes[random(bytes.length)] = random(256);
      try {
        for (const item of readAll(bytes)) expect(['format', 'unit']).toContain(item.kind);
      } catch (error) {
        expect(error).toBeInstanceOf(BrokenStreamError);
      }
    }
  });
});
