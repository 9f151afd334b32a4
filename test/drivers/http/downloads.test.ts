import { existsSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, describe, expect, it, vi } from 'vitest';

import type { ListenerDeps } from '#drivers/http/listener.ts';
import { download } from '#routes/kit/download.ts';
import { makeDataFolder, openUnnamed, serveFiles, stopAll } from './file-serving.ts';
import { dial, get, statusesOf, type Client } from './peers.ts';
import { until } from './serving.ts';

afterEach(stopAll);

const [reader, other] = ['127.0.0.2', '127.0.0.3'] as const;
/** More than the kernel keeps for both ends. */
const large = 48 * 1024 * 1024;

/** Serves a file of that length at `/backup`, a new one each time. */
async function serveDownloads(
  bytes: number,
  more: Partial<ListenerDeps> = {},
  spoil: (path: string) => void = () => {},
) {
  const folder = makeDataFolder();
  const made: string[] = [];
  mkdirSync(join(folder, 'tmp'));
  const serving = await serveFiles(
    (path) => {
      if (path !== '/backup') return new Response('');
      const file = join(folder, 'tmp', `archive-${made.length}`);
      writeFileSync(file, '');
      truncateSync(file, bytes);
      spoil(file);
      made.push(file);
      return download({ path: file, bytes, name: 'hall.hpb', type: 'application/octet-stream', removes: true });
    },
    more,
    folder,
  );
  return {
    ...serving,
    made,
    /** Asks for the file and reads nothing of it. */
    ask: async (from: string): Promise<Client> => {
      const client = await dial(serving.serving, from, false);
      client.socket.write(get('/backup'));
      const before = made.length;
      await until(() => made.length > before, 'the file');
      // Until both ends are full.
      for (let last: string | null = null; last !== openUnnamed().join();) {
        last = openUnnamed().join();
        for (let count = 0; count < 20; count += 1) await serving.sync();
      }
      return client;
    },
  };
}
const allClosed = (): Promise<void> => until(() => openUnnamed().length === 0, 'no open file');

describe('a file that is sent', () => {
  it('comes whole with its length and name, is not cached, and is gone afterwards', async () => {
    const { serving, made } = await serveDownloads(3_000_001);
    const client = await dial(serving, reader);
    client.socket.write(get('/backup'));
    await until(() => client.seen().length > 3_000_001, 'the file');
    const head = client.seen().slice(0, client.seen().indexOf('\r\n\r\n'));
    expect(head).toMatch(/^content-length: 3000001$/im);
    expect(head).toMatch(/^content-disposition: attachment; filename="hall\.hpb"$/im);
    expect(head).toMatch(/^cache-control: no-store$/im);
    expect(head).toMatch(/^x-content-type-options: nosniff$/im);
    await until(() => client.seen().length === head.length + 4 + 3_000_001, 'all of it');
    expect(existsSync(made[0] ?? '')).toBe(false);
    await allClosed();
    client.socket.write(get('/plain'));
    await until(() => statusesOf(client).length === 2, 'the next answer on the connection');
  });

  it('holds no place of its peer', async () => {
    const { serving, ask } = await serveDownloads(large, { bounds: { making: 1 } });
    await ask(reader);
    const client = await dial(serving, reader);
    client.socket.write(get('/plain'));
    await until(() => statusesOf(client).length === 1, 'an answer');
    expect(openUnnamed()).toHaveLength(1);
  });

  it('is gone as its reader leaves', async () => {
    const { ask, made } = await serveDownloads(large);
    const { socket } = await ask(reader);
    expect([existsSync(made[0] ?? ''), openUnnamed().length]).toEqual([false, 1]);
    socket.destroy();
    await allClosed();
  });

  it('is gone once its reader has taken nothing for 20 s, and no sooner', async () => {
    const { ask, pass } = await serveDownloads(large);
    await ask(reader);
    await pass(19_000);
    expect(openUnnamed()).toHaveLength(1);
    await pass(4000);
    await allClosed();
  });

  it('is gone as the server stops', async () => {
    const { ask, serving } = await serveDownloads(large, { bounds: { drainMs: 20 } });
    await ask(reader);
    await serving.stop();
    await allClosed();
  });

  it('ends the oldest if it is one too many', async () => {
    const { ask } = await serveDownloads(large, { bounds: { downloads: 2 } });
    const [first, second, third] = [await ask(reader), await ask(reader), await ask(other)];
    first.socket.resume();
    await until(first.isClosed, 'the end of the oldest');
    await until(() => openUnnamed().length === 2, 'two files');
    expect([second.isClosed(), third.isClosed()]).toEqual([false, false]);
  });

  it.each([
    ['shorter than it was', (path: string): void => truncateSync(path, 100_000), 'file-cut-short'],
    ['not there', (path: string): void => rmSync(path), 'ENOENT'],
  ])('breaks off its connection if it is %s, and its code is logged', async (_, spoil, code) => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    const failures: string[] = [];
    const { serving, sync } = await serveDownloads(
      200_000,
      { onHandlerFailure: (failure) => failures.push(failure) },
      spoil,
    );
    const client = await dial(serving, reader);
    client.socket.write(get('/backup'));
    await until(client.isClosed, 'the end of the connection');
    await sync();
    expect([client.seen().length < 200_000, failures]).toEqual([true, [code]]);
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
    await allClosed();
  });
});
