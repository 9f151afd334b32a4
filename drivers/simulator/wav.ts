import { ok, refuse, type Result } from '#machines/kit/result.ts';

import { LONGEST_SAID_S } from './said-sound.ts';

/** Samples per second of the simulated microphone. */
const RATE = 16_000;
/** Rates that are accepted, in samples per second: those that sound cards and programs use. */
const LOWEST_RATE = 8000;
const HIGHEST_RATE = 192_000;

/** `WAVE_FORMAT_PCM`, and `WAVE_FORMAT_EXTENSIBLE`, which has the real format at the start of its GUID. */
const PCM = 1;
const EXTENSIBLE = 0xfffe;
const GUID_AT = 24;
/** Least length of the format chunk, and that of an extensible one. */
const FORMAT_BYTES = 16;
const EXTENSIBLE_BYTES = 40;

interface Format {
  readonly channels: number;
  readonly rate: number;
}

const bad = (message: string): Result<never, 'bad-sound'> => refuse('bad-sound', message);

function formatOf(chunk: Buffer): Result<Format, 'bad-sound'> {
  if (chunk.length < FORMAT_BYTES) return bad('The format of the WAV file is cut off.');
  const tag = chunk.readUInt16LE(0);
  const isExtensible = tag === EXTENSIBLE && chunk.length >= EXTENSIBLE_BYTES;
  const format = isExtensible ? chunk.readUInt16LE(GUID_AT) : tag;
  const [channels, rate, bits] = [chunk.readUInt16LE(2), chunk.readUInt32LE(4), chunk.readUInt16LE(14)];
  if (format !== PCM || bits !== 16) return bad('The WAV file must hold 16-bit PCM samples.');
  if (channels !== 1 && channels !== 2) return bad('The WAV file must have one or two channels.');
  if (rate < LOWEST_RATE || rate > HIGHEST_RATE)
    return bad(`The WAV file must have ${LOWEST_RATE} to ${HIGHEST_RATE} samples per second.`);
  return ok({ channels, rate });
}

/** The chunks by their names; the first of each. A length that a program could not fill in ends with the file. */
function chunksOf(file: Buffer): ReadonlyMap<string, Buffer> {
  const chunks = new Map<string, Buffer>();
  for (let at = 12; at + 8 <= file.length;) {
    const name = file.toString('latin1', at, at + 4);
    const length = file.readUInt32LE(at + 4);
    if (!chunks.has(name)) chunks.set(name, file.subarray(at + 8, at + 8 + length));
    // A chunk of an odd length is padded.
    at += 8 + length + (length % 2);
  }
  return chunks;
}

/** Resamples linearly to 16 kHz, both channels as one. */
function resampled(data: Buffer, { channels, rate }: Format): Buffer {
  const frames = Math.floor(data.length / (2 * channels));
  const frame = (at: number): number => {
    const from = Math.min(at, frames - 1) * 2 * channels;
    const first = data.readInt16LE(from);
    return channels === 1 ? first : (first + data.readInt16LE(from + 2)) / 2;
  };
  const count = Math.floor((frames * RATE) / rate);
  const pcm = Buffer.alloc(count * 2);
  for (let n = 0; n < count; n += 1) {
    const position = (n * rate) / RATE;
    const at = Math.floor(position);
    const before = frame(at);
    pcm.writeInt16LE(Math.round(before + (frame(at + 1) - before) * (position - at)), n * 2);
  }
  return pcm;
}

export const isWav = (file: Buffer): boolean =>
  file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WAVE';

/** The samples of a WAV file as s16le mono at 16 kHz, or why it is not accepted. */
export function samplesOf(file: Buffer): Result<Buffer, 'bad-sound'> {
  if (!isWav(file)) return bad('The file is not a WAV file.');
  const chunks = chunksOf(file);
  const described = chunks.get('fmt ');
  const data = chunks.get('data');
  if (described === undefined || data === undefined) return bad('The WAV file holds no format or no samples.');
  const format = formatOf(described);
  if (!format.ok) return format;
  const { channels, rate } = format.value;
  const seconds = data.length / (2 * channels * rate);
  if (seconds > LONGEST_SAID_S) return bad(`The sound must not be longer than ${LONGEST_SAID_S} seconds.`);
  const pcm = resampled(data, format.value);
  return pcm.length === 0 ? bad('The WAV file holds no samples.') : ok(pcm);
}
