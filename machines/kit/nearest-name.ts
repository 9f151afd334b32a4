import { closestName } from './closest-name.ts';

/** Longest part of a typed name to compare, in characters. */
const LONGEST = 64;

/** Most names that are offered for one word. */
const MOST_NAMES = 3;

/** A third of the letters, at least one. */
const thirdOf = (name: string): number => Math.max(1, Math.floor(name.length / 3));

/** The same for a part of a name, of which a short one has to fit. */
const thirdOfLong = (part: string): number => (part.length > 3 ? thirdOf(part) : 0);

const folded = (name: string): string => name.slice(0, LONGEST).toLowerCase().replaceAll('-', '_');

/** The parts of a name that have as many of its words: of `pi_touch_2` and two, `pi_touch` and `touch_2`. */
function partsOf(name: string, count: number): readonly string[] {
  const words = folded(name).split('_');
  return words.flatMap((_, at) => (at + count > words.length ? [] : [words.slice(at, at + count).join('_')]));
}

/** The name closest to a typed one, null if none is close; a dash counts as an underscore. */
export function nearestName(word: string, names: Iterable<string>): string | null {
  const spelled = new Map([...names].map((name) => [folded(name), name]));
  return spelled.get(closestName(folded(word), spelled.keys(), thirdOf) ?? '') ?? null;
}

/** The same; if none is close, those of which a part is, unless there are many. */
export function nearestNames(word: string, names: readonly string[]): readonly string[] {
  const nearest = nearestName(word, names);
  if (nearest !== null) return [nearest];
  const count = folded(word).split('_').length;
  const part = closestName(folded(word), new Set(names.flatMap((name) => partsOf(name, count))), thirdOfLong);
  const likely = part === null ? [] : names.filter((name) => partsOf(name, count).includes(part));
  return likely.length > MOST_NAMES ? [] : likely;
}
