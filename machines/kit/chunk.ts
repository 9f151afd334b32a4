/** A part of the program that is loaded at its first use cannot be loaded. */
export class ChunkError extends Error {
  readonly code = 'chunk-unloadable';
  constructor(cause: unknown) {
    super('a part of the program cannot be loaded', { cause });
    this.name = 'ChunkError';
  }
}

/**
 * The boundary of a chunk: `chunk(() => import('./x.ts'))` returns a function that loads it at the first call and
 * returns the same module from then on. A chunk that cannot be loaded rejects with a `ChunkError`; the next call tries
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
