/** Parameter sets that x264 wrote for 1280 by 720 pixels. */
export const sps = Buffer.from('6742c01fda014016ec0440000003004000000302a3c60ca8', 'hex');
export const pps = Buffer.from('68ce0fc8', 'hex');

/** The beginning of a stream: its header, with the size of no tag before it. */
export const head = Buffer.from([0x46, 0x4c, 0x56, 1, 1, 0, 0, 0, 9, 0, 0, 0, 0]);

/** A tag of a stream; type 9 is video. */
export function tag(body: Buffer, { type = 9, timestampMs = 0 } = {}): Buffer {
  const start = Buffer.alloc(11);
  start[0] = type;
  start.writeUIntBE(body.length, 1, 3);
  start.writeUIntBE(timestampMs & 0xff_ff_ff, 4, 3);
  start[7] = timestampMs >>> 24;
  const end = Buffer.alloc(4);
  end.writeUInt32BE(body.length + 11);
  return Buffer.concat([start, body, end]);
}

const short = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);

/** The decoder's configuration. */
export const configuration = (own: Buffer = sps): Buffer =>
  Buffer.concat([
    Buffer.from([0x17, 0, 0, 0, 0, 1, 0x42, 0xc0, 0x1f, 0xff, 0xe1]),
    short(own.length),
    own,
    Buffer.from([1]),
    short(pps.length),
    pps,
  ]);

/** The body of a picture. */
export const picture = (isKey: boolean, ...nals: readonly Buffer[]): Buffer =>
  Buffer.concat([
    Buffer.from([isKey ? 0x17 : 0x27, 1, 0, 0, 0]),
    ...nals.flatMap((nal) => [Buffer.from([0, 0, ...short(nal.length)]), nal]),
  ]);

/** A NAL unit of that type. */
export const nal = (type: number, ...bytes: readonly number[]): Buffer => Buffer.from([0x60 | type, ...bytes]);
