import { clamp, type Milliseconds } from './units.ts';

/** Samples per second of all sound that is heard: s16le, mono. */
export const SAMPLE_RATE = 16_000;
export const BYTES_PER_SAMPLE = 2;

/** Bytes of so much sound, whole samples. */
export const bytesOfSound = (ms: Milliseconds): number => Math.floor((ms * SAMPLE_RATE) / 1000) * BYTES_PER_SAMPLE;
/** How long so many bytes sound. */
export const soundMs = (bytes: number): Milliseconds => (bytes * 1000) / (SAMPLE_RATE * BYTES_PER_SAMPLE);

const FULL_SCALE = 32_768;
/** From here on a sample counts as clipped: converters seldom reach full scale itself. */
const CLIPPED = 32_760;

/** What health and level are judged by. */
export interface SoundFigures {
  readonly samples: number;
  /** Largest distance from zero, 0 to 32,768. */
  readonly peak: number;
  /** Number of samples at the limit. */
  readonly clipped: number;
  /** Smallest and largest sample; Infinity and -Infinity without any. */
  readonly low: number;
  readonly high: number;
}

export const noSound: SoundFigures = { samples: 0, peak: 0, clipped: 0, low: Infinity, high: -Infinity };

/** Figures of these samples (s16le), added to those of earlier ones; an odd last byte is left out. */
export function addSound(before: SoundFigures, pcm: Uint8Array): SoundFigures {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  let { samples, peak, clipped, low, high } = before;
  for (let at = 0; at + BYTES_PER_SAMPLE <= pcm.byteLength; at += BYTES_PER_SAMPLE) {
    const value = view.getInt16(at, true);
    const size = Math.abs(value);
    samples += 1;
    if (size > peak) peak = size;
    if (size >= CLIPPED) clipped += 1;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return { samples, peak, clipped, low, high };
}

/** A peak in percent of full scale; anything but digital silence is at least 1. */
export const levelOfPeak = (peak: number): number => clamp(Math.ceil((peak * 100) / FULL_SCALE), 0, 100);

/** Amplifies samples (s16le) in place by so many decibels; what exceeds the range stays at its limit. */
export function amplify(pcm: Uint8Array, gainDb: number): void {
  if (gainDb === 0) return;
  const factor = 10 ** (gainDb / 20);
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  for (let at = 0; at + BYTES_PER_SAMPLE <= pcm.byteLength; at += BYTES_PER_SAMPLE)
    view.setInt16(at, clamp(Math.round(view.getInt16(at, true) * factor), -FULL_SCALE, FULL_SCALE - 1), true);
}
