/** What a component draws, as text; every component of the pages draws at once. */
export function markupOf(drawn: { toString(): string | Promise<string> }): string {
  const text = drawn.toString();
  if (typeof text !== 'string') throw new Error('a component of the pages must not wait');
  return text;
}
