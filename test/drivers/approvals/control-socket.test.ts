import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { askControl } from '#drivers/approvals/ask-control.ts';
import { controlSocket } from '#drivers/approvals/control-socket.ts';
import { type ControlRequest, readRequest } from '#drivers/approvals/control-protocol.ts';
import type { ControlCommand, ControlFact, ListedRequest } from '#machines/approvals/events.ts';
import { isFact, runDriver } from '../run-driver.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sconce-control-'));
  path = join(folder, 'approvals.sock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const id = 'a'.repeat(32);
const request: ListedRequest = {
  id,
  title: 'Reboot the panel',
  what: '',
  who: '192.168.1.9',
  state: 'pending',
  leftMs: 1,
};
const serving: Extract<ControlCommand, { type: 'control.serve' }> = {
  type: 'control.serve',
  mode: 'hardened',
  place: { kind: 'screen' },
  requests: [request],
};
const close = { type: 'control.close' } as const;

function started(at = folder) {
  const refusals: string[] = [];
  const driver = runDriver<ControlCommand, ControlFact>(
    controlSocket({ folder: at, onRefused: (code) => refusals.push(code), switchMs: 100, connectionMs: 200 }),
  );
  onTestFinished(async () => {
    driver.stop();
    await driver.settled();
  });
  return { ...driver, refusals };
}

/** The driver once it listens. */
async function listening() {
  const driver = started();
  driver.tell(serving);
  await vi.waitUntil(() => existsSync(path));
  return driver;
}

async function ask(asked: ControlRequest) {
  const answer = await askControl(folder, asked);
  return answer.ok ? answer.value : answer.reason;
}

/** What a connection gets after these bytes; `ended` closes its own direction, as `nc -N` does. */
const raw = (bytes: string, ended = false): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    const socket = connect({ path, allowHalfOpen: true });
    socket.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    socket.on('error', () => {});
    // Like a program that has what it asked for.
    socket.on('end', () => socket.end());
    socket.on('close', () => resolve(text));
    if (ended) socket.end(bytes);
    else socket.write(bytes);
  });

describe('the control socket', () => {
  it('is there while there is something to serve, for its owner only', async () => {
    const driver = started();
    expect(existsSync(path)).toBe(false);
    driver.tell(serving);
    await vi.waitUntil(() => existsSync(path));
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
    expect(await ask({ do: 'list' })).toEqual({
      ok: true,
      mode: 'hardened',
      place: { kind: 'screen' },
      requests: [request],
    });
    driver.tell(close);
    await vi.waitUntil(() => !existsSync(path));
    expect(await ask({ do: 'list' })).toBe('not-listening');
    driver.tell({ ...serving, requests: [] });
    await vi.waitUntil(() => existsSync(path));
    expect(await ask({ do: 'list' })).toMatchObject({ requests: [] });
  });

  it('is gone once the driver has stopped', async () => {
    const driver = await listening();
    driver.stop();
    await driver.settled();
    expect(existsSync(path)).toBe(false);
  });

  it('denies a request that there is, and no other', async () => {
    const driver = await listening();
    expect(await ask({ do: 'deny', id: 'b'.repeat(32) })).toEqual({ ok: false, error: 'unknown' });
    expect(await ask({ do: 'deny', id })).toEqual({ ok: true, denied: id });
    expect(driver.facts).toEqual([{ type: 'control.denied', id }]);
  });

  it.each<[string, ControlCommand]>([
    ['the next mode', { ...serving, mode: 'relaxed' }],
    ['the end of what it serves', close],
  ])('answers that the mode is Relaxed with %s', async (_, then) => {
    const driver = await listening();
    const answer = ask({ do: 'relaxed' });
    await driver.until(isFact('control.relaxed'));
    driver.tell(then);
    expect(await answer).toEqual({ ok: true, mode: 'relaxed' });
    expect(driver.facts).toHaveLength(1);
  });

  it('answers that the mode is still Hardened where it is not left in time', async () => {
    const driver = await listening();
    expect(await ask({ do: 'relaxed' })).toEqual({ ok: true, mode: 'hardened' });
    expect(driver.facts).toHaveLength(1);
  });

  it('asks for nothing where the mode is Relaxed already', async () => {
    const driver = started();
    driver.tell({ ...serving, mode: 'relaxed' });
    await vi.waitUntil(() => existsSync(path));
    expect(await ask({ do: 'relaxed' })).toEqual({ ok: true, mode: 'relaxed' });
    expect(driver.facts).toEqual([]);
  });

  it.each([
    ['no JSON', 'hello\n'],
    ['another request', '{"do":"approve","id":"x"}\n'],
    ['an id that is none', '{"do":"deny","id":"../x"}\n'],
    ['a line that is too long', `{"do":"list","x":"${'x'.repeat(1024)}"}\n`],
    ['bytes without an end', 'x'.repeat(4096)],
  ])('refuses %s', async (_, bytes) => {
    const driver = await listening();
    expect(await raw(bytes)).toBe('{"ok":false,"error":"bad-request"}\n');
    expect(driver.facts).toEqual([]);
  });

  it('answers a program that closes its own direction first', async () => {
    await listening();
    expect(await raw('{"do":"list"}\n', true)).toMatch(/^\{"ok":true,/);
    expect(await raw('{"do"', true)).toBe('{"ok":false,"error":"bad-request"}\n');
  });

  it('takes one request of a connection', async () => {
    const driver = await listening();
    const deny = `{"do":"deny","id":"${id}"}\n`;
    expect(await raw(deny + deny)).toBe(`{"ok":true,"denied":"${id}"}\n`);
    expect(driver.facts).toHaveLength(1);
  });

  it('ends a connection that sends nothing, and has four at most', async () => {
    await listening();
    const idle = Array.from({ length: 4 }, () => raw(''));
    await vi.waitUntil(async () => (await ask({ do: 'list' })) === 'no-answer');
    expect(await Promise.all(idle)).toEqual(['', '', '', '']);
    expect(await ask({ do: 'list' })).toMatchObject({ ok: true });
  });
});

describe('a path that is taken', () => {
  it('by a killed agent is freed, also while there is nothing to serve', async () => {
    const program = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', program]);
    expect(existsSync(path)).toBe(true);
    const driver = started();
    await vi.waitUntil(() => !existsSync(path));
    driver.tell(serving);
    await vi.waitUntil(() => existsSync(path));
    expect(await ask({ do: 'list' })).toMatchObject({ ok: true });
    expect(driver.refusals).toEqual([]);
  });

  it('by a program that answers is left to it', async () => {
    const sockets: Socket[] = [];
    const other = createServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => {
      other.listen(path, resolve);
    });
    const driver = started();
    driver.tell(serving);
    driver.tell(serving);
    await vi.waitUntil(() => driver.refusals.length > 0);
    expect(driver.refusals).toEqual(['in-use']);
    expect(existsSync(path)).toBe(true);
    other.close();
    for (const socket of sockets) socket.destroy();
    driver.tell(serving);
    await vi.waitUntil(() => existsSync(path));
    expect(await ask({ do: 'list' })).toMatchObject({ ok: true });
  });

  it('by a file is left as it is', async () => {
    writeFileSync(path, 'kept');
    const driver = started();
    driver.tell(serving);
    await vi.waitUntil(() => driver.refusals.length > 0);
    expect([driver.refusals, lstatSync(path).size]).toEqual([['not-a-socket'], 4]);
    expect(driver.crashed()).toBeUndefined();
  });

  it('that is too long for a socket is refused', async () => {
    const long = join(folder, 'x'.repeat(100));
    mkdirSync(long);
    const driver = started(long);
    driver.tell(serving);
    await vi.waitUntil(() => driver.refusals.length > 0);
    expect(driver.refusals).toEqual(['path-too-long']);
    expect(await askControl(long, { do: 'list' })).toEqual({ ok: false, reason: 'path-too-long' });
  });

  it('in a folder that is gone is refused', async () => {
    const driver = started(join(folder, 'gone'));
    driver.tell(serving);
    await vi.waitUntil(() => driver.refusals.length > 0);
    expect(driver.refusals).toEqual([expect.stringMatching(/^E[A-Z]+$/)]);
    expect(driver.crashed()).toBeUndefined();
  });
});

describe('asking', () => {
  it('a program that says nothing of use gives no answer', async () => {
    for (const said of ['nonsense\n', 'x'.repeat(300_000), '']) {
      const other = createServer((socket) =>
        socket
          .on('error', () => {})
          .resume()
          .end(said),
      );
      // oxlint-disable-next-line no-await-in-loop -- one program after another on one path
      await new Promise<void>((resolve) => {
        other.listen(path, resolve);
      });
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(await ask({ do: 'list' })).toBe('no-answer');
      // oxlint-disable-next-line no-await-in-loop -- as above
      await new Promise((resolve) => other.close(resolve));
    }
  });
});

describe('a request', () => {
  it.each<[string, ControlRequest | null]>([
    ['{"do":"list"}', { do: 'list' }],
    ['{"do":"relaxed","more":1}', { do: 'relaxed' }],
    [`{"do":"deny","id":"${id}"}`, { do: 'deny', id }],
    [`{"do":"deny","id":"${id.toUpperCase()}"}`, null],
    ['{"do":"deny"}', null],
    ['{"do":"hardened"}', null],
    ['{"__proto__":{"do":"list"}}', null],
    ['[]', null],
    ['null', null],
    ['', null],
  ])('%s', (line, read) => expect(readRequest(line)).toEqual(read));
});
