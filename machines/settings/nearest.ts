import { closestName } from '../kit/closest-name.ts';

/** Longest part of a typed name that is compared, in characters. */
const LONGEST = 64;

/** A third of the letters, and one of a short name. */
const mostEdits = (name: string): number => Math.max(1, Math.floor(name.length / 3));

/** The name of a setting most like a typed one, null where none is near; a dash counts as an underscore. */
export const nearestName = (word: string, names: Iterable<string>): string | null =>
  closestName(word.slice(0, LONGEST).toLowerCase().replaceAll('-', '_'), names, mostEdits);
