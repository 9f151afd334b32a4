/** A part of the program that is loaded at its first use cannot be loaded. */
export class ChunkError extends Error {
  readonly code = 'chunk-unloadable';
  constructor(cause: unknown) {
    super('a part of the program cannot be loaded', { cause });
    this.name = 'ChunkError';
  }
}

/**
 * Where a chunk of the program begins: `chunk(() => import('./x.ts'))` is a function that loads it at the first call
 * and gives the same to each further one. What could not be loaded rejects with a `ChunkError`, and the next call tries
 * again.
 */
export function chunk<M>(load: () => Promise<M>): () => Promise<M> {
  let loaded: Promise<M> | null = null;
  return () =>
    (loaded ??= load().catch((cause: unknown) => {
      loaded = null;
      throw new ChunkError(cause);
    }));
}
