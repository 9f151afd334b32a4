/** Longest text that is remembered, in characters: what a browser of the household sends is far shorter. */
const TEXT_LENGTH = 300;

/**
 * A pure function of one text that remembers its newest answers, at most `limit` of them: the same few hosts, peers and
 * paths come with every request. Whoever sends ever new ones only empties the memory.
 */
export function remembering<T>(limit: number, decide: (text: string) => T): (text: string) => T {
  const known = new Map<string, { readonly answer: T }>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found.answer;
    const answer = decide(text);
    if (text.length > TEXT_LENGTH) return answer;
    if (known.size >= limit) known.clear();
    known.set(text, { answer });
    return answer;
  };
}
