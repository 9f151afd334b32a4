import { chunk } from '#machines/kit/chunk.ts';

export function late(): Promise<unknown> {
  return chunk(() => import('./thing.ts'))(); // refused: not by the word chunk
}
