import type { AccessUnit, StreamFormat } from './frames.ts';
import { sizeOfSps } from './sps.ts';

/** What one tag of the stream brings. */
export type FlvItem =
  | { readonly kind: 'format'; readonly format: StreamFormat }
  | { readonly kind: 'unit'; readonly unit: AccessUnit };

/** The bytes are not the stream that was asked for; there is no way to read on. */
export class BrokenStreamError extends Error {
  override readonly name = 'BrokenStreamError';
}

/** Largest tag in bytes: at 8 Mbit/s a key frame of half a second of the bit rate is a tenth of it. */
export const MOST_TAG_BYTES = 4 * 1024 * 1024;
/** Most NAL units of one picture: the encoder makes one slice for each core. */
const MOST_NALS = 512;

const FILE_HEADER = 9;
const TAG_HEADER = 11;
const TRAILER = 4;
const VIDEO = 9;
const AVC = 7;

/** NAL unit types that carry a slice of a picture; 5 is one of a key frame (ITU-T H.264, table 7-1). */
const isSlice = (nal: Buffer): boolean => [1, 2, 3, 4, 5].includes((nal[0] ?? 0) & 31);
const isKeySlice = (nal: Buffer): boolean => ((nal[0] ?? 0) & 31) === 5;

const broken = (why: string): BrokenStreamError => new BrokenStreamError(why);

/** Reads a decoder configuration record (ISO/IEC 14496-15, 5.3.3.1.2). */
function formatOf(record: Buffer): { readonly format: StreamFormat; readonly lengthBytes: number } {
  if (record.length < 7 || record[0] !== 1) throw broken('the configuration is unknown');
  let at = 5;
  const sets = (count: number): readonly Buffer[] =>
    Array.from({ length: count }, () => {
      if (at + 2 > record.length) throw broken('the configuration is cut off');
      const length = record.readUInt16BE(at);
      const set = record.subarray(at + 2, at + 2 + length);
      if (set.length !== length) throw broken('the configuration is cut off');
      at += 2 + length;
      return set;
    });
  const count = (mask: number): number => {
    at += 1;
    return (record[at - 1] ?? 0) & mask;
  };
  const [sps] = sets(count(31));
  const [pps] = sets(count(255));
  const size = sps === undefined ? null : sizeOfSps(sps);
  if (sps === undefined || pps === undefined || size === null) throw broken('the parameter sets cannot be read');
  return { format: { sps, pps, ...size }, lengthBytes: ((record[4] ?? 0) & 3) + 1 };
}

/** Splits the body of a picture into its NAL units. */
function nalsOf(body: Buffer, lengthBytes: number): readonly Buffer[] {
  const nals: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    if (at + lengthBytes > body.length) throw broken('a length is cut off');
    const length = body.readUIntBE(at, lengthBytes);
    at += lengthBytes;
    if (at + length > body.length) throw broken('a unit is cut off');
    if (length > 0) nals.push(body.subarray(at, at + length));
    if (nals.length > MOST_NALS) throw broken('a picture has too many units');
    at += length;
  }
  return nals;
}

/** Reads the body of video tags, which need the configuration of an earlier one. */
function createVideoReader(): (body: Buffer, timestampMs: number) => FlvItem | null {
  let lengthBytes: number | null = null;
  return (body, timestampMs) => {
    if (body.length < 5) throw broken('a tag is cut off');
    if (((body[0] ?? 0) & 15) !== AVC) throw broken('the codec is another one');
    const data = body.subarray(5);
    if (body[1] === 0) {
      const { format, lengthBytes: bytes } = formatOf(data);
      lengthBytes = bytes;
      return { kind: 'format', format };
    }
    // 2 ends a sequence.
    if (body[1] !== 1) return null;
    if (lengthBytes === null) throw broken('a picture comes before the configuration');
    const nals = nalsOf(data, lengthBytes).filter(isSlice);
    const delayMs = (body.readUIntBE(2, 3) << 8) >> 8;
    return nals.length === 0
      ? null
      : { kind: 'unit', unit: { nals, timestampMs: timestampMs + delayMs, isKey: nals.some(isKeySlice) } };
  };
}

export interface FlvReader {
  /** The items that these bytes complete; throws `BrokenStreamError`, after which nothing more may be pushed. */
  readonly push: (chunk: Buffer) => readonly FlvItem[];
}

/**
 * Reads an FLV stream with H.264 from a pipe, in pieces of any size. Holds one tag at most; whatever it returns has its
 * own memory.
 */
export function createFlvReader(): FlvReader {
  const readVideo = createVideoReader();
  let wanted = Buffer.alloc(FILE_HEADER + TRAILER);
  let filled = 0;
  let tag: { readonly type: number; readonly timestampMs: number; readonly size: number } | null = null;
  let isBegun = false;

  const expect = (bytes: number): void => {
    wanted = Buffer.alloc(bytes);
    filled = 0;
  };
  const takeHeader = (head: Buffer): void => {
    const size = head.readUIntBE(1, 3);
    if (size > MOST_TAG_BYTES) throw broken('a tag is too large');
    tag = { type: (head[0] ?? 0) & 31, timestampMs: head.readUIntBE(4, 3) + (head[7] ?? 0) * 2 ** 24, size };
    expect(size + TRAILER);
  };
  /** Takes what was waited for, and says what it brings. */
  const complete = (bytes: Buffer): FlvItem | null => {
    if (!isBegun) {
      if (bytes.toString('latin1', 0, 3) !== 'FLV') throw broken('it does not begin as a stream');
      isBegun = true;
      expect(TAG_HEADER);
      return null;
    }
    if (tag === null) {
      takeHeader(bytes);
      return null;
    }
    const { type, timestampMs, size } = tag;
    tag = null;
    if (bytes.readUInt32BE(size) !== size + TAG_HEADER) throw broken('the size of a tag is repeated wrongly');
    expect(TAG_HEADER);
    return type === VIDEO ? readVideo(bytes.subarray(0, size), timestampMs) : null;
  };
  return {
    push: (chunk) => {
      const items: FlvItem[] = [];
      for (let at = 0; at < chunk.length;) {
        const taken = chunk.copy(wanted, filled, at);
        filled += taken;
        at += taken;
        if (filled < wanted.length) break;
        const item = complete(wanted);
        if (item !== null) items.push(item);
      }
      return items;
    },
  };
}
