/** Most changed letters between a slip and what was meant. */
const mostChanges = 3;
/** Longest word that is compared. */
const longest = 64;

/**
 * How many letters must be changed, added, left out or swapped with their neighbour to make one word of another
 * (Damerau and Levenshtein).
 */
const changes = (one: string, other: string): number => {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at += 1) {
    const row = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const same = one[at - 1] === other[to - 1];
      const cost = Math.min((last[to] ?? 0) + 1, (row[to - 1] ?? 0) + 1, (last[to - 1] ?? 0) + (same ? 0 : 1));
      const swapped = at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      row.push(swapped ? Math.min(cost, (before[to - 2] ?? 0) + 1) : cost);
    }
    before = last;
    last = row;
  }
  return last[other.length] ?? 0;
};

/** The known word that was most likely meant; null where none is near. */
export const closest = (word: string, known: readonly string[]): string | null => {
  if (word.length > longest) return null;
  const [best] = known
    .map((name) => ({ name, cost: changes(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, cost }) => cost <= Math.min(mostChanges, Math.ceil(name.length / 3)))
    .toSorted((one, other) => one.cost - other.cost);
  return best?.name ?? null;
};
