import { describe, expect, it } from 'vitest';

import { chunk, ChunkError } from '#machines/kit/chunk.ts';

describe('a chunk', () => {
  it('is loaded at the first use, once', async () => {
    let loads = 0;
    const one = chunk(() => Promise.resolve({ number: (loads += 1) }));
    expect(loads).toBe(0);
    expect([await one(), await one()]).toEqual([{ number: 1 }, { number: 1 }]);
  });

  it('that cannot be loaded says so by its code, and is tried again at the next use', async () => {
    let loads = 0;
    const lost = chunk(() => {
      loads += 1;
      return loads < 3 ? Promise.reject(new Error('ENOENT')) : Promise.resolve({ number: loads });
    });
    const refused = { code: 'chunk-unloadable', cause: new Error('ENOENT') };
    await expect(lost()).rejects.toMatchObject(refused);
    await expect(lost()).rejects.toBeInstanceOf(ChunkError);
    expect([await lost(), await lost()]).toEqual([{ number: 3 }, { number: 3 }]);
  });
});
