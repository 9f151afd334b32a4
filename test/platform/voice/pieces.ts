import type { Sound } from './wav.ts';

/** Samples a second in which sounds are compared: most of a voice is below half of that. */
const RATE = 8000;
/** Samples of one piece: a tenth of a second. A player that is held up spoils only those in which it was. */
const PIECE = RATE / 10;
/** Loudness (RMS, 0 to 32,767) of a piece that is looked for. */
const LOUD = 300;
/** Correlation from which a piece is found. Single pieces of another sentence of the same voice may reach 0.9. */
const FOUND = 0.9;
/** How long a player may be held up between two pieces, in samples. */
const HELD_UP = 2 * RATE;

/** The samples of a sound, fewer a second. */
function samplesOf({ rate, pcm }: Sound): Float64Array {
  const each = rate / RATE;
  return Float64Array.from({ length: Math.floor(pcm.length / 2 / each) }, (_, at) => {
    let sum = 0;
    for (let n = 0; n < each; n += 1) sum += pcm.readInt16LE((at * each + n) * 2);
    return sum / each;
  });
}

const energyOf = (samples: Float64Array): number => samples.reduce((sum, value) => sum + value * value, 0);

/** Where `piece` begins in `of`, at `from` or later and before `to`; null where it is not. */
function placeOf(piece: Float64Array, of: Float64Array, from: number, to: number): number | null {
  const wanted = energyOf(piece);
  let best = { at: -1, likeness: FOUND };
  let energy = energyOf(of.subarray(from, from + piece.length));
  for (let at = from; at < to && at + piece.length <= of.length; at += 1) {
    // Silence is like nothing, and takes no time.
    if (energy > wanted / 10) {
      let both = 0;
      for (let n = 0; n < piece.length; n += 1) both += (piece[n] ?? 0) * (of[at + n] ?? 0);
      const likeness = both / Math.sqrt(energy * wanted);
      if (likeness > best.likeness) best = { at, likeness };
    }
    energy += (of[at + piece.length] ?? 0) ** 2 - (of[at] ?? 0) ** 2;
  }
  return best.at < 0 ? null : best.at;
}

/** Which share (0 to 1) of a sound is in what was heard: its audible pieces, in their order, wave by wave. */
export function shareHeard(sound: Sound, heard: Sound): number {
  const [whole, of] = [samplesOf(sound), samplesOf(heard)];
  let [looked, found] = [0, 0];
  let last: { readonly inSound: number; readonly inHeard: number } | null = null;
  for (let at = 0; at + PIECE <= whole.length; at += PIECE) {
    const piece = whole.subarray(at, at + PIECE);
    if (Math.sqrt(energyOf(piece) / PIECE) <= LOUD) continue;
    looked += 1;
    const expected: number = last === null ? 0 : last.inHeard + at - last.inSound;
    // What is left out is as short as what a sound server drops at once.
    const from = Math.max(0, expected - PIECE);
    const place = placeOf(piece, of, from, last === null ? of.length : expected + HELD_UP);
    if (place === null) continue;
    found += 1;
    last = { inSound: at, inHeard: place };
  }
  return looked === 0 ? 0 : found / looked;
}
