/** Longest text to cache, in characters: browsers of the household send far shorter ones. */
const TEXT_LENGTH = 300;

/**
 * Caches a pure function of one text, at most `limit` results: the same few hosts, peers and paths come with every
 * request. A peer that sends new ones all the time only empties the cache.
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
