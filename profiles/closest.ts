import { closestName } from '#machines/kit/closest-name.ts';

const longest = 64;

/** Largest edit distance: a third of the letters, at most three. */
const mostEdits = (name: string): number => Math.min(3, Math.ceil(name.length / 3));

/** The known word that was most likely meant; null if none is similar. */
export const closest = (word: string, known: readonly string[]): string | null =>
  word.length > longest ? null : closestName(word.toLowerCase(), known, mostEdits);
