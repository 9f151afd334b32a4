/** Samples per second. */
const RATE = 16_000;
/** Length of the sound, in seconds. */
const SECONDS = 0.9;
/** Two notes, a rising fourth: start (seconds) and pitch (hertz). */
const NOTES = [
  { at: 0, hertz: 587.33 },
  { at: 0.25, hertz: 783.99 },
] as const;
/** Peak of one note as a share of full scale; both together stay below full scale. */
const LOUDNESS = 0.35;
/** Decay of a note, per second, and length of its attack, in seconds; without an attack there is a click. */
const DECAY = 5;
const SWELL = 0.01;

const sampleAt = (seconds: number): number =>
  NOTES.reduce((sum, { at, hertz }) => {
    const since = seconds - at;
    if (since < 0) return sum;
    return sum + Math.min(1, since / SWELL) * Math.exp(-DECAY * since) * Math.sin(2 * Math.PI * hertz * since);
  }, 0) * LOUDNESS;

/** The test sound, by which a person checks that announcements are audible: a 16-bit mono WAV of 29 kB. */
export function testSound(): Uint8Array {
  const count = Math.round(RATE * SECONDS);
  const file = Buffer.alloc(44 + count * 2);
  file.write('RIFF', 0);
  file.writeUInt32LE(36 + count * 2, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(RATE, 24);
  file.writeUInt32LE(RATE * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36);
  file.writeUInt32LE(count * 2, 40);
  for (let n = 0; n < count; n += 1) file.writeInt16LE(Math.round(32_767 * sampleAt(n / RATE)), 44 + n * 2);
  return file;
}
