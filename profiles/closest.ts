import { closestName } from '#machines/kit/closest-name.ts';

/** Longest word that is compared, in characters. */
const longest = 64;

/** A third of the letters, three at most. */
const mostEdits = (name: string): number => Math.min(3, Math.ceil(name.length / 3));

/** The known word that was most likely meant; null where none is near. */
export const closest = (word: string, known: readonly string[]): string | null =>
  word.length > longest ? null : closestName(word.toLowerCase(), known, mostEdits);
