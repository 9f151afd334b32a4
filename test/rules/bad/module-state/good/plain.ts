const words: ReadonlySet<string> = new Set(['one', 'two']);
const list = ['two', 'one'] as const;

/** What is changed here begins and ends with the call. */
export const count = (given: readonly string[]): Readonly<Record<string, number>> => {
  let known = 0;
  const counts: Record<string, number> = {};
  const seen = new Set<string>();
  for (const word of given) {
    if (words.has(word)) known += 1;
    counts[word] = (counts[word] ?? 0) + 1;
    seen.add(word);
  }
  return { ...counts, known, all: seen.size, listed: list.toSorted().length };
};
