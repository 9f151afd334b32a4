/**
 * Number of edits (insert, delete, replace, swap of neighbours) between two words: the optimal string alignment
 * distance of Damerau and Levenshtein.
 */
function editDistance(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1];
      const cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(swapped ? Math.min(cost, (beforeLast[column - 2] ?? 0) + 1) : cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[other.length] ?? 0;
}

/**
 * The name closest to a lower-case word, the first of several; null if each needs more than `mostEdits`. The caller
 * bounds the length of the word: the time grows with the product of both lengths.
 */
export function closestName(word: string, names: Iterable<string>, mostEdits: (name: string) => number): string | null {
  let best: { readonly name: string; readonly distance: number } | null = null;
  for (const name of names) {
    const distance = editDistance(word, name.toLowerCase());
    if (distance <= mostEdits(name) && (best === null || distance < best.distance)) best = { name, distance };
  }
  return best?.name ?? null;
}

/**
 * The rows closest to a lower-case word by any of their names, at most `count`, the closest first, however far it is
 * from all of them. The caller bounds the length of the word.
 */
export const closestRows = <T>(
  word: string,
  rows: readonly T[],
  namesOf: (row: T) => readonly string[],
  count: number,
): readonly T[] =>
  rows
    .map((row) => ({ row, distance: Math.min(...namesOf(row).map((name) => editDistance(word, name.toLowerCase()))) }))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ row }) => row);
