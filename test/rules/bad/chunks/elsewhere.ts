import { chunk } from '#machines/kit/chunk.ts';

const things = chunk(() => import('./thing.ts')); // refused: not a place where a chunk begins

export const late = (): Promise<unknown> => things();
