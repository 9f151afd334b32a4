import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { askHolder, lockFolder, lockName } from '#drivers/store/lock.ts';

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sconce-lock-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const ask = (of = folder, signal = AbortSignal.timeout(5000)) => askHolder(of, signal);

/** The lock of the folder, held; fails where it cannot be had. */
const hold = async () => {
  const lock = await lockFolder(folder);
  if (!lock.ok) throw new Error(lock.message);
  return lock.value;
};

describe('who has a data folder', () => {
  it('is nobody while no process holds it', async () => {
    expect(await ask()).toBe('free');
    expect(await ask(join(folder, 'none'))).toBe('free');
  });

  it('says the port on which it listens at that moment, by whatever path it is asked', async () => {
    const lock = await hold();
    expect(await ask()).toEqual({ port: null });
    let port = 0;
    lock.tellPort(() => port);
    expect(await ask()).toEqual({ port: null });
    port = 18_201;
    symlinkSync(folder, `${folder}-alias`);
    expect(await ask(`${folder}-alias`)).toEqual({ port: 18_201 });
    rmSync(`${folder}-alias`);
    port = 9;
    expect(await ask()).toEqual({ port: 9 });
    await lock.release();
    expect(await ask()).toBe('free');
  });

  it('is still told to the next one where a caller goes away before the answer', async () => {
    const lock = await hold();
    lock.tellPort(() => 18_201);
    for (let rude = 0; rude < 20; rude += 1)
      connect({ path: lockName(folder) })
        .on('error', () => {})
        .destroy();
    expect(await ask()).toEqual({ port: 18_201 });
    await lock.release();
  });

  describe('where something else answers there', () => {
    let server: Server | undefined;
    afterEach(() => void server?.close());
    const answering = (text: string | null): Promise<void> =>
      new Promise((listening) => {
        server = createServer((connection) => {
          connection.on('error', () => {});
          if (text !== null) connection.end(text);
        }).listen({ path: lockName(folder) }, listening);
      });

    it.each(['', '18201', '0\n', '-1\n', '123456\n', 'eighty\n', `${'1'.repeat(100_000)}\n`])(
      'takes %j for no port',
      async (text) => {
        await answering(text);
        expect(await ask()).toEqual({ port: null });
      },
    );

    it('waits no longer than it is told', async () => {
      await answering(null);
      const bound = new AbortController();
      const asked = ask(folder, bound.signal);
      bound.abort();
      expect(await asked).toEqual({ port: null });
    });
  });
});
