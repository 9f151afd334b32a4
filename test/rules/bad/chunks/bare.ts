export async function late(): Promise<unknown> {
  const loaded = await import('./thing.ts'); // refused: not by the word chunk
  return loaded;
}
