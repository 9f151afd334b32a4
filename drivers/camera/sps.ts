/** Largest side of a picture that is believed, in pixels. */
const MOST_PIXELS = 8192;
/** Profiles whose sequence parameter set describes the chroma format (ITU-T H.264, 7.3.2.1.1). */
const WITH_CHROMA: ReadonlySet<number> = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]);

/** The set ends too early, or holds a value that no stream has. */
class UnreadableSpsError extends Error {
  override readonly name = 'UnreadableSpsError';
}

interface BitReader {
  readonly bits: (count: number) => number;
  /** Exp-Golomb code, unsigned and signed (9.1). */
  readonly ue: () => number;
  readonly se: () => number;
}

/** Removes the bytes that keep start codes out of a NAL unit (7.4.1.1). */
function unescaped(nal: Buffer): Buffer {
  const bytes: number[] = [];
  let zeros = 0;
  for (const byte of nal) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0;
      continue;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    bytes.push(byte);
  }
  return Buffer.from(bytes);
}

function bitReader(bytes: Buffer): BitReader {
  let at = 0;
  const bit = (): number => {
    const byte = bytes[at >> 3];
    if (byte === undefined) throw new UnreadableSpsError('the set ends too early');
    const value = (byte >> (7 - (at & 7))) & 1;
    at += 1;
    return value;
  };
  const bits = (count: number): number => {
    let value = 0;
    for (let index = 0; index < count; index += 1) value = value * 2 + bit();
    return value;
  };
  const ue = (): number => {
    let zeros = 0;
    while (bit() === 0) {
      zeros += 1;
      if (zeros > 31) throw new UnreadableSpsError('a number is too large');
    }
    return 2 ** zeros - 1 + bits(zeros);
  };
  const se = (): number => {
    const code = ue();
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2;
  };
  return { bits, ue, se };
}

function skipScalingList({ se }: BitReader, size: number): void {
  let next = 8;
  for (let index = 0; index < size && next !== 0; index += 1) next = (next + se() + 256) % 256;
}

/** Reads the chroma format, 1 (4:2:0) unless the profile says otherwise. */
function chromaOf(profile: number, read: BitReader): { readonly chroma: number; readonly separate: boolean } {
  if (!WITH_CHROMA.has(profile)) return { chroma: 1, separate: false };
  const chroma = read.ue();
  const separate = chroma === 3 && read.bits(1) === 1;
  read.ue(); // bit depth of luma
  read.ue(); // bit depth of chroma
  read.bits(1); // lossless
  if (read.bits(1) === 1) {
    for (let list = 0; list < (chroma === 3 ? 12 : 8); list += 1)
      if (read.bits(1) === 1) skipScalingList(read, list < 6 ? 16 : 64);
  }
  return { chroma, separate };
}

function skipOrder(read: BitReader): void {
  const kind = read.ue();
  if (kind === 0) read.ue();
  if (kind !== 1) return;
  read.bits(1);
  read.se();
  read.se();
  const cycle = read.ue();
  if (cycle > 255) throw new UnreadableSpsError('a cycle is too long');
  for (let index = 0; index < cycle; index += 1) read.se();
}

function sizeIn(nal: Buffer): { readonly width: number; readonly height: number } {
  const read = bitReader(unescaped(nal));
  if ((read.bits(8) & 31) !== 7) throw new UnreadableSpsError('not a sequence parameter set');
  const profile = read.bits(8);
  read.bits(16); // constraints and level
  read.ue(); // id
  const { chroma, separate } = chromaOf(profile, read);
  read.ue(); // length of frame numbers
  skipOrder(read);
  read.ue(); // reference frames
  read.bits(1); // gaps allowed
  const columns = read.ue() + 1;
  const rows = read.ue() + 1;
  const isProgressive = read.bits(1) === 1;
  if (!isProgressive) read.bits(1);
  read.bits(1); // direct inference
  const fields = isProgressive ? 1 : 2;
  const crop = read.bits(1) === 1 ? [read.ue(), read.ue(), read.ue(), read.ue()] : [0, 0, 0, 0];
  const [left = 0, right = 0, top = 0, bottom = 0] = crop;
  const isMono = chroma === 0 || separate;
  const unitX = isMono || chroma === 3 ? 1 : 2;
  const unitY = (isMono || chroma !== 1 ? 1 : 2) * fields;
  return { width: columns * 16 - (left + right) * unitX, height: rows * 16 * fields - (top + bottom) * unitY };
}

/** Size in pixels that a sequence parameter set (without start code) declares; null if it cannot be read. */
export function sizeOfSps(nal: Buffer): { readonly width: number; readonly height: number } | null {
  try {
    const size = sizeIn(nal);
    const isSane = [size.width, size.height].every((side) => side > 0 && side <= MOST_PIXELS);
    return isSane ? size : null;
  } catch (error) {
    if (error instanceof UnreadableSpsError) return null;
    throw error;
  }
}
