import { createInflate } from 'node:zlib';

/** The top left corner of a picture: rows of red, green and blue, 0 to 255 each. */
export interface Corner {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

/** Largest corner that is read, in pixels: a mark on a display of four times the density fits. */
export const CORNER_LIMIT = { width: 256, height: 128 } as const;
/** Largest picture, in pixels of its side; a row of it is 64 kB. */
const SIDE_LIMIT = 16_384;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Bytes per pixel by colour type (PNG, 11.2.1), of the two that a browser writes. */
const bytesPerPixel: ReadonlyMap<number, number> = new Map([
  [2, 3],
  [6, 4],
]);

interface Header {
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
}

function headerIn(data: Buffer): Header | null {
  if (data.length !== 13) return null;
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
  const bytes = bytesPerPixel.get(data.readUInt8(9));
  const isPlain = data.readUInt8(8) === 8 && data.readUInt8(12) === 0;
  const isSized = width > 0 && height > 0 && width <= SIDE_LIMIT && height <= SIDE_LIMIT;
  return isPlain && isSized && bytes !== undefined ? { width, height, bytes } : null;
}

/** The header and the compressed pixels of a picture; null for anything but an 8-bit colour PNG. */
function partsOf(png: Buffer): { readonly header: Header; readonly data: Buffer } | null {
  if (!png.subarray(0, 8).equals(SIGNATURE)) return null;
  let header: Header | null = null;
  const data: Buffer[] = [];
  for (let at = 8; at + 12 <= png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (body.length < length) break;
    if (type === 'IHDR') header = headerIn(body);
    else if (type === 'IDAT') data.push(body);
    else if (type === 'IEND') break;
    at += length + 12;
  }
  return header === null ? null : { header, data: Buffer.concat(data) };
}

/** The first bytes of what was compressed; fewer if there are no more, or the rest is broken. */
const inflated = (data: Buffer, count: number): Promise<Buffer> =>
  new Promise((resolve) => {
    const inflate = createInflate();
    const chunks: Buffer[] = [];
    let held = 0;
    const end = (): void => {
      inflate.destroy();
      resolve(Buffer.concat(chunks).subarray(0, count));
    };
    inflate.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      held += chunk.length;
      if (held >= count) end();
    });
    inflate.on('end', end);
    inflate.on('error', end);
    inflate.end(data);
  });

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [toLeft, toAbove, toCorner] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

/** What a filter predicts for a byte (PNG, 9.2). */
function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  return filter === 4 ? paeth(left, above, corner) : 0;
}

/** Reads the corner of a PNG; null if it is none, or none that a browser writes. */
export async function cornerOf(png: Uint8Array): Promise<Corner | null> {
  const parts = partsOf(Buffer.from(png.buffer, png.byteOffset, png.byteLength));
  if (parts === null) return null;
  const { header, data } = parts;
  const [width, height] = [Math.min(header.width, CORNER_LIMIT.width), Math.min(header.height, CORNER_LIMIT.height)];
  const stride = header.width * header.bytes + 1;
  const bytes = await inflated(data, stride * height);
  if (bytes.length < stride * height) return null;
  const rgb = new Uint8Array(width * height * 3);
  // No filter looks to the right, so the beginning of each row is enough.
  const used = width * header.bytes;
  let above = new Uint8Array(used);
  for (let y = 0; y < height; y += 1) {
    const filter = bytes[y * stride] ?? 0;
    if (filter > 4) return null;
    const row = new Uint8Array(used);
    for (let x = 0; x < used; x += 1) {
      const before = x - header.bytes;
      const guess = predicted(filter, row[before] ?? 0, above[x] ?? 0, above[before] ?? 0);
      row[x] = (bytes[y * stride + 1 + x] ?? 0) + guess;
      const channel = x % header.bytes;
      if (channel < 3) rgb[(y * width + (x - channel) / header.bytes) * 3 + channel] = row[x] ?? 0;
    }
    above = row;
  }
  return { width, height, rgb };
}
