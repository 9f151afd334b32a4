import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { canMount, unmount, withMount } from '#test/durability/own-mounts.ts';
import { amount } from '#test/fakes/amount.ts';
import { pick, sequence, type Random } from '#test/fakes/sequence.ts';
import { buildFilesAlone } from '#test/network/build-files-alone.ts';
import { headOf } from './file-serving.ts';
import { until } from './serving.ts';

const place = mkdtempSync(join(tmpdir(), 'sconce-uploads-'));
let program = '';
beforeAll(async () => {
  program = await buildFilesAlone(place);
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

interface Alone {
  readonly child: ChildProcess;
  readonly port: number;
  readonly printed: () => string;
}
const running: ChildProcess[] = [];
afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
});

/** Starts the program, with `before` before its command line. */
async function start(folder: string, before: readonly string[] = []): Promise<Alone> {
  const [command, ...args] = [...before, process.execPath, program, '0', folder, '0'];
  if (command === undefined) throw new Error('no command');
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  running.push(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (printed += text.toString()));
  await until(() => printed.includes('listening'), `listening: ${printed}`);
  return { child, port: Number(/listening (\d+)/.exec(printed)?.[1]), printed: () => printed };
}
function makeFolder(name: string): string {
  const folder = join(place, name);
  mkdirSync(folder);
  return folder;
}

function filesIn(folder: string): readonly string[] {
  const tmp = join(folder, 'tmp');
  return existsSync(tmp) ? readdirSync(tmp) : [];
}
/** Sends bytes; resolves with the status of the answer once there is one, with 0 if the connection ends without. */
const exchange = (
  { port }: Alone,
  bytes: Buffer | string,
  onSent: (socket: Socket) => Promise<void> = async () => {},
): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (text.includes('\r\n\r\n')) socket.destroy();
    });
    socket.write(bytes, () => void onSent(socket).catch(reject));
    socket.on('error', () => {});
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0)));
  });
const health = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** Waits for an answer of `/health`: a peer whose requests ended its connection may not connect for a second. */
async function served(alone: Alone): Promise<void> {
  const last = Date.now() + 3000;
  while ((await exchange(alone, health)) !== 200)
    if (Date.now() > last) throw new Error('/health was not answered within 3 s');
}
/** Sends bytes; resolves with the status of the answer once there is one, else with 0 once the connection is closed. */
const exchangeAny = (alone: Alone, bytes: Buffer): Promise<number> =>
  exchange(alone, bytes, async (socket) => {
    for (let count = 0; count < 5 && !socket.destroyed; count += 1) await served(alone);
    socket.end();
  });
const path = '/api/v1/file';
const whole = (length: number): string => headOf(path, length) + 'x'.repeat(length);

describe('an agent that is killed while it receives a file', () => {
  it('leaves nothing of it to the next', async () => {
    const folder = makeFolder('killed');
    const first = await start(folder);
    const socket = connect(first.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`${headOf(path, 5_000_000)}${'x'.repeat(1_000_000)}`);
    await until(() => filesIn(folder).length === 1, 'the file');
    const ended = once(first.child, 'exit');
    first.child.kill('SIGKILL');
    await ended;
    expect(filesIn(folder)).toHaveLength(1);
    const next = await start(folder);
    await until(() => filesIn(folder).length === 0, 'no file');
    expect(await exchange(next, whole(1000))).toBe(200);
  });

  it('leaves nothing of it when it is ended instead', async () => {
    const folder = makeFolder('ended');
    const { child, port } = await start(folder);
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`${headOf(path, 5_000_000)}${'x'.repeat(1_000_000)}`);
    await until(() => filesIn(folder).length === 1, 'the file');
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    expect(filesIn(folder)).toEqual([]);
  });
});

describe('a disk that is full', () => {
  it('refuses a file as it is written, keeps nothing of it, and takes a smaller one', async ({ skip }) => {
    if (!canMount) skip('skipped: no file system can be mounted here');
    const folder = makeFolder('full');
    const alone = await start(folder, withMount(folder, 'size=1m'));
    try {
      const chunked = Buffer.from(`${headOf(path)}200000\r\n${'x'.repeat(0x200000)}\r\n0\r\n\r\n`);
      expect(await exchange(alone, chunked)).toBe(507);
      expect(await exchange(alone, whole(2_000_000))).toBe(507);
      // All of the disk is free again.
      expect(await exchange(alone, whole(1_000_000))).toBe(200);
      expect(await exchange(alone, whole(1_000_000))).toBe(200);
      expect(alone.printed()).not.toContain('failure');
    } finally {
      unmount(folder);
    }
  });
});

/** A request with a file, and what may be wrong with it. */
function mutated(random: Random): Buffer {
  const length = random(20_000);
  const body = 'x'.repeat(length);
  const chunks = body.replaceAll(/[^]{1,3000}/g, (part) => `${part.length.toString(16)}\r\n${part}\r\n`);
  const bytes = Buffer.from(
    pick(random, [whole(length), `${headOf(path)}${chunks}0\r\n\r\n`, `${headOf(`${path}?fail=1`, length)}${body}`]),
    'latin1',
  );
  const spoils: readonly (() => Buffer)[] = [
    () => bytes,
    () => bytes.subarray(0, random(bytes.length)),
    () => Buffer.concat([bytes, bytes.subarray(random(bytes.length))]),
    () => {
      const at = random(bytes.length);
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.min(bytes.length, at + 1 + random(40)))]);
    },
    () => {
      const other = Buffer.from(bytes);
      for (let count = 1 + random(8); count > 0; count -= 1) other[random(other.length)] = random(256);
      return other;
    },
    () =>
      Buffer.from(bytes.toString('latin1').replace(/Content-Length: \d+/, `Content-Length: ${random(1e9)}`), 'latin1'),
    () => Buffer.from(bytes.toString('latin1').replace(/Content-Length: /, 'Content-Length: 5\r\n$&'), 'latin1'),
    () => Buffer.from(bytes.toString('latin1').replace(/Content-Length/, 'Transfer-Encoding: chunked\r\n$&'), 'latin1'),
  ];
  return pick(random, spoils)();
}

describe('requests with files that are wrong in some way', () => {
  it('leave no file, and an agent that takes the next', async () => {
    const folder = makeFolder('mutated');
    const alone = await start(folder);
    const seeds = Array.from({ length: amount(100, 1000) }, (_, seed) => seed);
    const seen = new Map<number, number>();
    for (const seed of seeds) {
      const status = await exchangeAny(alone, mutated(sequence(seed)));
      seen.set(status, (seen.get(status) ?? 0) + 1);
      if (seed % 10 > 0) continue;
      await until(() => filesIn(folder).length === 0, `no file after seed ${seed}`);
      expect([seed, await exchange(alone, whole(1000))]).toEqual([seed, 200]);
    }
    await until(() => filesIn(folder).length === 0, 'no file');
    expect(alone.child.exitCode).toBe(null);
    expect([...seen.keys()]).toEqual(expect.arrayContaining([200, 400, 413, 500]));
  });
});
