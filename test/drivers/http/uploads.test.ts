import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, describe, expect, it } from 'vitest';

import { realClock } from '#drivers/http/stalled.ts';
import type { HttpBindings, UploadedFile } from '#machines/http/events.ts';
import { LOOPBACK } from '#machines/kit/peer-name.ts';
import { chunkOf, answered, headOf, makeDataFolder, mostBytes, serveFiles, stopAll } from './file-serving.ts';
import { dial, statusesOf } from './peers.ts';
import { until } from './serving.ts';

afterEach(stopAll);

const [one, other, third] = ['127.0.0.2', '127.0.0.3', '127.0.0.4'] as const;
const digestOf = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
/** Not the same block after block. */
const bytesOf = (length: number): string =>
  Array.from({ length }, (_, index) => String.fromCharCode(33 + ((index * 31) % 89))).join('');
const digest = (_: string, { upload }: Pick<HttpBindings, 'upload'>): Response =>
  new Response(upload?.sha256 ?? 'none');

/** A handler that keeps its file until it is let go. */
function keeping() {
  const held: (() => void)[] = [];
  const seen: UploadedFile[] = [];
  return {
    seen,
    release: () => held.shift()?.(),
    fetch: (_: string, { upload }: HttpBindings): Promise<Response> => {
      if (upload !== null) seen.push(upload);
      return new Promise((resolve) => held.push(() => resolve(new Response('done'))));
    },
  };
}

describe('a body that is received into a file', () => {
  it.each([
    ['announced', (body: string): string => headOf('/file', body.length) + body],
    [
      'in chunks',
      (body: string): string =>
        `${headOf('/file')}${body.replaceAll(/[^]{1,7000}/g, (part) => chunkOf(part))}0\r\n\r\n`,
    ],
    [
      'in chunks of a byte',
      (body: string): string =>
        `${headOf('/file')}${body.slice(0, 9000).replaceAll(/[^]/g, (part) => chunkOf(part))}0\r\n\r\n`,
    ],
  ])('arrives as it was sent, for its owner alone: %s', async (_, spelled) => {
    const found: { bytes: Buffer; mode: number; upload: UploadedFile }[] = [];
    const { send, files } = await serveFiles((path, { upload }) => {
      if (upload !== null)
        found.push({ bytes: readFileSync(upload.path), mode: statSync(upload.path).mode & 0o777, upload });
      return digest(path, { upload });
    });
    const body = bytesOf(300_001);
    const client = await send(one, spelled(body));
    await answered(client, 200);
    expect(found).toHaveLength(1);
    const [{ bytes, mode, upload } = { bytes: Buffer.alloc(0), mode: 0, upload: null }] = found;
    expect(body.startsWith(bytes.toString('latin1'))).toBe(true);
    expect([upload?.bytes, upload?.sha256, mode]).toEqual([bytes.length, digestOf(bytes), 0o600]);
    expect(upload?.path).toMatch(/\/tmp\/upload-[\da-f]{32}$/);
    await until(() => client.seen().endsWith(digestOf(bytes)), 'the digest');
    await until(() => files().length === 0, 'no file');
  });

  it('is asked for only once there is room for it', async () => {
    const { send, files } = await serveFiles(digest);
    const client = await send(one, headOf('/file', 5, 'Expect: 100-continue\r\n'));
    await until(() => client.seen() === 'HTTP/1.1 100 Continue\r\n\r\n', 'a word to go on');
    expect(files()).toHaveLength(1);
    client.socket.write('hello');
    await until(() => client.seen().endsWith(digestOf('hello')), 'the digest');
  });

  it('leaves those of other paths where they are', async () => {
    const { send, files } = await serveFiles(digest);
    const client = await send(one, `${headOf('/memory', 5)}hello`);
    await until(() => client.seen().endsWith('none'), 'an answer without a file');
    expect(files()).toEqual([]);
  });

  it('takes no place, and holds up none of its peer and of others', async () => {
    const { send, sync } = await serveFiles(digest);
    await send(one, `${headOf('/file', mostBytes)}some of it`);
    await sync();
    const own = await send(one, `${headOf('/memory', 5)}hello`);
    await answered(own, 200);
  });
});

describe('its file is removed', () => {
  it.each<[string, (path: string) => Response | Promise<Response>, number]>([
    ['was answered', () => new Response('fine'), 200],
    ['was refused', () => new Response('{}', { status: 422 }), 422],
    ['met a failure', () => Promise.reject(new Error('thrown')), 500],
  ])('once its request %s', async (_, fetch, status) => {
    const { send, files } = await serveFiles((path, { upload }) => {
      expect(statSync(upload?.path ?? '').size).toBe(5);
      return fetch(path);
    });
    const client = await send(one, `${headOf('/file', 5)}hello`);
    await answered(client, status);
    await until(() => files().length === 0, 'no file');
  });

  it('as its sender leaves', async () => {
    const { send, files } = await serveFiles(digest);
    const { socket } = await send(one, `${headOf('/file', 500)}hello`);
    expect(files()).toHaveLength(1);
    socket.destroy();
    await until(() => files().length === 0, 'no file');
    await answered(await send(other, `${headOf('/file', 5)}hello`), 200);
  });

  it('once its handler is done, if its sender left before', async () => {
    const hold = keeping();
    const { send, files, sync } = await serveFiles(hold.fetch);
    const { socket } = await send(one, `${headOf('/file', 5)}hello`);
    await until(() => hold.seen.length === 1, 'the handler');
    socket.destroy();
    for (const _ of [1, 2, 3, 4, 5]) await sync();
    expect(files()).toHaveLength(1);
    hold.release();
    await until(() => files().length === 0, 'no file');
  });

  it('at once, if its sender left while its handler waited for the start of the agent', async () => {
    let waiting = 0;
    const { send, files } = await serveFiles(async (path, { aside, upload }) => {
      if (path === '/file/late') {
        waiting += 1;
        await aside(new Promise<void>(() => {}));
      }
      return digest(path, { upload });
    });
    const { socket } = await send(one, `${headOf('/file/late', 5)}hello`);
    await until(() => waiting === 1 && files().length === 1, 'the handler');
    socket.destroy();
    await until(() => files().length === 0, 'no file');
    await answered(await send(other, `${headOf('/file', 5)}hello`), 200);
  });

  it.each([
    ['arriving', `${headOf('/file', 500)}hello`],
    ['being answered', `${headOf('/file', 5)}hello`],
  ])('as the server stops, while it is %s', async (_, text) => {
    const { send, files, serving } = await serveFiles(keeping().fetch, { bounds: { drainMs: 20 } });
    await send(one, text);
    expect(files()).toHaveLength(1);
    await serving.stop();
    expect(files()).toEqual([]);
  });

  it('at the next start, with what others have in the folder left alone', async () => {
    const folder = makeDataFolder();
    mkdirSync(join(folder, 'tmp'));
    for (const name of [`upload-${'0'.repeat(32)}`, 'upload-cut', 'announcement-1'])
      writeFileSync(join(folder, 'tmp', name), 'x');
    const { files } = await serveFiles(digest, {}, folder);
    await until(() => files().length === 1, 'one file');
    expect(files()).toEqual(['announcement-1']);
  });
});

describe('one file at a time', () => {
  const errorOf = (seen: string): unknown => JSON.parse(seen.slice(seen.indexOf('{'))).error;

  it('is received; the next is refused with little of it read', async () => {
    const { send, files } = await serveFiles(digest);
    const first = await send(one, `${headOf('/file', 10)}hello`);
    const second = await send(other, `${headOf('/file', mostBytes)}some`);
    await answered(second, 409);
    expect(errorOf(second.seen())).toBe('upload-busy');
    expect(second.seen()).toMatch(/\r\nConnection: close\r\n/i);
    const careful = await send(third, headOf('/file', 10, 'Expect: 100-continue\r\n'));
    await answered(careful, 409);
    expect(careful.seen()).not.toContain('100 Continue');
    expect(files()).toHaveLength(1);
    first.socket.write('hello');
    await answered(first, 200);
  });

  it('is kept while its request is being answered, and the next is received right after', async () => {
    const hold = keeping();
    const { send, files } = await serveFiles(hold.fetch);
    const first = await send(one, `${headOf('/file', 5)}hello`);
    await until(() => hold.seen.length === 1, 'the handler');
    await answered(await send(other, `${headOf('/file', 5)}hello`), 409);
    hold.release();
    await answered(first, 200);
    await send(other, `${headOf('/file', 5)}hello`);
    await until(() => hold.seen.length === 2, 'the handler of the next');
    expect(files()).toHaveLength(1);
  });

  it('loses its place to another sender once it is slow, and to none of its own', async () => {
    const { send, pass, files } = await serveFiles(digest);
    const slow = await send(one, `${headOf('/file', 1000)}some`);
    await pass(1000);
    await answered(await send(other, `${headOf('/file', 5)}hello`), 409);
    await pass(1000);
    await answered(await send(one, `${headOf('/file', 5)}hello`), 409);
    await answered(await send(third, `${headOf('/file', 5)}hello`), 200);
    await answered(slow, 408);
    await until(() => files().length === 0, 'no file');
  });

  it('loses its place to a program on the panel itself at once', async () => {
    const nameOf = (name: string) => ({ name: name === third ? LOOPBACK : name, network: '' });
    const { send } = await serveFiles(digest, { nameOf });
    const ours = await send(one, `${headOf('/file', 1000)}some`);
    await answered(await send(third, `${headOf('/file', 5)}hello`), 200);
    await answered(ours, 408);
  });

  it('follows the other on one connection', async () => {
    const there: number[] = [];
    const { send, files } = await serveFiles((path, bindings) => {
      there.push(files().length);
      return digest(path, bindings);
    });
    const client = await send(one, `${headOf('/file', 5)}hello`.repeat(12));
    await until(() => statusesOf(client).length === 12, 'twelve answers');
    expect(new Set(there)).toEqual(new Set([1]));
    expect(new Set(statusesOf(client))).toEqual(new Set([200]));
  });
});

describe('a file that is too large', () => {
  it('is refused by its announced length, before any of it', async () => {
    const { send, files } = await serveFiles(digest);
    await answered(await send(one, headOf('/file', mostBytes + 1)), 413);
    expect(files()).toEqual([]);
  });

  it('is refused by what came of it', async () => {
    const { send, files, serving } = await serveFiles(digest);
    const client = await dial(serving, one);
    client.socket.write(headOf('/file'));
    for (let sent = 0; sent <= mostBytes; sent += 65_536) client.socket.write(chunkOf('x'.repeat(65_536)));
    await answered(client, 413);
    await until(() => files().length === 0, 'no file');
    await answered(await send(other, `${headOf('/file', 5)}hello`), 200);
  });

  it('is received up to the last byte that fits', async () => {
    const { serving } = await serveFiles(digest);
    const client = await dial(serving, one);
    client.socket.write(headOf('/file', mostBytes) + 'x'.repeat(mostBytes));
    await answered(client, 200);
  });
});

describe('a disk with too little space', () => {
  const reserve = 64 * 1024 * 1024;

  it.each([
    ['for all of it', reserve + mostBytes - 1, headOf('/file', mostBytes)],
    ['for anything', reserve - 1, headOf('/file')],
  ])('refuses a file at once: %s', async (_, free, head) => {
    const { send, files } = await serveFiles(digest, { freeBytes: async () => free });
    const client = await send(one, head);
    await answered(client, 507);
    expect(client.seen()).toContain('"error":"no-space"');
    expect(files()).toEqual([]);
  });

  it('takes a file that leaves the reserve', async () => {
    const { send } = await serveFiles(digest, { freeBytes: async () => reserve + 5 });
    await answered(await send(one, `${headOf('/file', 5)}hello`), 200);
  });

  it('refuses a file once others have taken the space', async () => {
    let free = Infinity;
    const most = 16 * mostBytes;
    const { files, serving } = await serveFiles(digest, { freeBytes: async () => free, maxBodyBytes: () => most });
    const client = await dial(serving, one);
    client.socket.write(headOf('/file', most) + 'x'.repeat(mostBytes));
    await until(() => files().length === 1, 'the file');
    free = reserve - 1;
    client.socket.write('x'.repeat(4 * mostBytes));
    await answered(client, 507);
    await until(() => files().length === 0, 'no file');
  });

  it('that refuses for another reason is a fault of the panel, whose code is logged', async () => {
    const folder = makeDataFolder();
    writeFileSync(join(folder, 'tmp'), 'no folder');
    const failures: string[] = [];
    const { send } = await serveFiles(digest, { onHandlerFailure: (code) => failures.push(code) }, folder);
    const client = await send(one, `${headOf('/file', 5)}hello`);
    await answered(client, 500);
    expect(client.seen()).toContain('"error":"internal"');
    expect(failures[0]).toBe('ENOTDIR');
  });
});

describe('a sender who is slow', () => {
  it('is ended after 20 s without a byte, and no sooner', async () => {
    const { send, pass, files, sync } = await serveFiles(digest);
    const client = await send(one, `${headOf('/file', 500)}some`);
    await pass(19_000);
    expect(statusesOf(client)).toEqual([]);
    client.socket.write('more');
    for (const _ of [1, 2, 3, 4, 5]) await sync();
    await pass(19_000);
    expect(statusesOf(client)).toEqual([]);
    await pass(4000);
    await answered(client, 408);
    expect(client.seen()).toContain('"error":"request-timeout"');
    await until(() => files().length === 0, 'no file');
  });

  it('is ended after ten minutes although something comes again and again; any other request after 30 s', async () => {
    const { send, pass } = await serveFiles(digest);
    const client = await send(one, `${headOf('/file', 500)}some`);
    const plain = await send(other, `${headOf('/memory', 500)}some`);
    let passed = 0;
    const drip = async (toMs: number): Promise<void> => {
      for (; passed < toMs; passed += 7000) {
        await pass(7000);
        for (const { socket } of [client, plain]) if (socket.writable) socket.write('x');
      }
    };
    await drip(28_000);
    expect([statusesOf(client), statusesOf(plain)]).toEqual([[], []]);
    await drip(35_000);
    await answered(plain, 408);
    await drip(595_000);
    expect(statusesOf(client)).toEqual([]);
    await drip(609_000);
    await answered(client, 408);
  });

  it('is not ended by what bounds any other request', async () => {
    const bounds = { headMs: 50, requestMs: 100, checkMs: 10 };
    const { send } = await serveFiles(digest, { clock: realClock, bounds });
    const client = await send(one, `${headOf('/file', 8)}some`);
    await answered(await send(other, `${headOf('/memory', 500)}some`), 408);
    await answered(await send(other, `${headOf('/memory', 500)}some`), 408);
    client.socket.write('more');
    await answered(client, 200);
  });
});
