import { deflateSync } from 'node:zlib';

/** A picture of a test: the colour of each pixel, 0 to 255 each. */
export type Paint = (x: number, y: number) => readonly [red: number, green: number, blue: number];

function chunk(type: string, body: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length);
  head.write(type, 4, 'latin1');
  // The check sum is not read.
  return Buffer.concat([head, body, Buffer.alloc(4)]);
}

function paeth(a: number, b: number, c: number): number {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/** Writes a PNG with a filter per row, with or without transparency. */
export function pngOf(
  width: number,
  height: number,
  paint: Paint,
  { alpha = false, filterOf = () => 0 }: { readonly alpha?: boolean; readonly filterOf?: (y: number) => number } = {},
): Buffer {
  const bytes = alpha ? 4 : 3;
  const raw = Array.from({ length: height }, (_, y) =>
    Uint8Array.from(Array.from({ length: width }, (__, x) => [...paint(x, y), ...(alpha ? [255] : [])]).flat()),
  );
  const rows = raw.map((row, y) => {
    const filter = filterOf(y);
    const filtered = row.map((value, x) => {
      const [a, b, c] = [row[x - bytes] ?? 0, raw[y - 1]?.[x] ?? 0, raw[y - 1]?.[x - bytes] ?? 0];
      return value - ([0, a, b, (a + b) >> 1, paeth(a, b, c)][filter] ?? 0);
    });
    return Buffer.from([filter, ...filtered]);
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  header.writeUInt8(alpha ? 6 : 2, 9);
  const data = deflateSync(Buffer.concat(rows));
  const half = data.length >> 1;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', data.subarray(0, half)),
    chunk('IDAT', data.subarray(half)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
