import { bytesOfSound, SAMPLE_RATE } from '#machines/kit/sound-samples.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

/** Two short notes, a rising fifth, in hertz. */
const NOTES = [659.26, 987.77] as const;
const NOTE_MS: Milliseconds = 90;
/** Peak as a share of full scale: it is to be noticed, not to startle. */
const LOUDNESS = 0.25;
/** Rise and fall of a note; without them there are clicks. */
const EDGE_MS: Milliseconds = 12;

const sampleAt = (hertz: number, ms: Milliseconds): number =>
  LOUDNESS * Math.min(1, ms / EDGE_MS, (NOTE_MS - ms) / EDGE_MS) * Math.sin((2 * Math.PI * hertz * ms) / 1000);

/** The sound that says "speak": samples (s16le mono, 16 kHz) of 180 ms. */
export function chime(): Buffer {
  const notes = NOTES.map((hertz) => {
    const note = Buffer.alloc(bytesOfSound(NOTE_MS));
    for (let at = 0; at < note.length; at += 2)
      note.writeInt16LE(Math.round(32_767 * sampleAt(hertz, ((at / 2) * 1000) / SAMPLE_RATE)), at);
    return note;
  });
  return Buffer.concat(notes);
}
