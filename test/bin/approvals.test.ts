import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { answerApprovals, type Said } from '#bin/approvals.ts';
import type { ApprovalsTask } from '#bin/approvals-arguments.ts';
import { controlSocket } from '#drivers/approvals/control-socket.ts';
import { lockFolder } from '#drivers/store/lock.ts';
import type { ControlCommand, ControlFact, ListedRequest } from '#machines/approvals/events.ts';
import { asUser } from '../drivers/as-user.ts';
import { isFact, runDriver } from '../drivers/run-driver.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sconce-approvals-'));
  file = join(folder, 'hardened');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const list: ApprovalsTask = { do: 'list' };
const relaxed: ApprovalsTask = { do: 'relaxed' };
const deny = (prefix: string): ApprovalsTask => ({ do: 'deny', prefix });
const call = (task: ApprovalsTask, at = folder): Promise<Said> =>
  answerApprovals(task, { folder: at, again: 'sconce approvals' });

const request = (id: string): ListedRequest => ({
  id: id.repeat(16),
  title: `Reboot ${id}`,
  what: '',
  who: '192.168.1.9',
  state: 'pending',
  leftMs: 60_000,
});

/** An agent that uses the folder: its lock, and nothing else. */
async function locked(): Promise<void> {
  const lock = await lockFolder(folder);
  if (!lock.ok) throw new Error(lock.message);
  onTestFinished(lock.value.release);
}

/** An agent that serves this. */
async function serving(mode: 'relaxed' | 'hardened', requests: readonly ListedRequest[] = []) {
  await locked();
  if (mode === 'hardened') writeFileSync(file, '');
  const driver = runDriver<ControlCommand, ControlFact>(controlSocket({ folder, onRefused: () => {}, switchMs: 50 }));
  onTestFinished(async () => {
    driver.stop();
    await driver.settled();
  });
  const serve = { type: 'control.serve', mode, place: { kind: 'screen' }, requests } as const;
  driver.tell(serve);
  await vi.waitUntil(() => existsSync(join(folder, 'approvals.sock')));
  return { ...driver, serve };
}

describe('without a running agent', () => {
  it.each([
    ['list', list],
    ['deny', deny('3f')],
  ])('there is nothing to %s', async (_, task) => {
    expect(await call(task)).toEqual({
      status: 1,
      lines: [`Sconce is not running with the data folder ${folder}.`],
    });
  });

  it('Hardened mode is left by removing its file', async () => {
    writeFileSync(file, '');
    expect(await call(relaxed)).toEqual({
      status: 0,
      lines: [`Removed ${file}. The panel is not running; it will start in Relaxed mode.`],
    });
    expect(existsSync(file)).toBe(false);
    expect(await call(relaxed)).toEqual({
      status: 0,
      lines: ['This panel is in Relaxed mode already. Nothing was changed.'],
    });
  });

  it('a file that cannot be removed is named', async () => {
    mkdirSync(file);
    expect(await call(relaxed)).toEqual({
      status: 1,
      lines: [`Hardened mode was not left: ${file} cannot be removed (ERR_FS_EISDIR).`],
    });
  });

  it('a folder that is not there is named', async () => {
    const gone = join(folder, 'gone');
    expect(await call(relaxed, gone)).toEqual({
      status: 1,
      lines: [`There is no data folder ${gone}. Name the right one with --data.`],
    });
  });

  it('a socket that an agent left is none', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => {
      other.listen(join(folder, 'approvals.sock'), resolve);
    });
    other.close();
    expect((await call(list)).status).toBe(1);
  });

  it.each(['list', 'relaxed'])('the folder of another user needs its owner or root: %s', async (task) => {
    writeFileSync(file, '');
    chmodSync(folder, 0o000);
    const module = fileURLToPath(new URL('called-approvals.ts', import.meta.url));
    const said = await asUser(module, 'callApprovals', JSON.stringify({ task, folder }));
    chmodSync(folder, 0o700);
    expect(said).toEqual({
      status: 1,
      lines: [`The data folder ${folder} belongs to another user. Try: sudo sconce approvals`],
    });
  });
});

describe('beside a running agent', () => {
  it('lists what waits', async () => {
    await serving('hardened', [request('3f')]);
    const said = await call(list);
    expect(said).toMatchObject({ status: 0 });
    expect(said.lines).toContain('  Reboot 3f');
  });

  it('in Relaxed mode nothing waits, so that no socket is there', async () => {
    await locked();
    expect(await call(list)).toEqual({ status: 0, lines: ['Relaxed mode. Nothing waits.'] });
    expect(await call(relaxed)).toMatchObject({ status: 0, lines: [expect.stringContaining('already')] });
    expect(await call(deny('3f'))).toEqual({ status: 1, lines: ['No request waits whose id begins with 3f.'] });
  });

  it('denies by the beginning of an id, if only one has it', async () => {
    const driver = await serving('relaxed', [request('3f'), request('3a')]);
    expect(await call(deny('3'))).toEqual({
      status: 1,
      lines: ['2 requests have an id that begins with 3. Type more of it.'],
    });
    expect(await call(deny('3b'))).toMatchObject({ status: 1 });
    expect(driver.facts).toEqual([]);
    expect(await call(deny('3a'))).toEqual({ status: 0, lines: ['Denied: Reboot 3a.'] });
    expect(driver.facts).toEqual([{ type: 'control.denied', id: request('3a').id }]);
  });

  it('leaves Hardened mode, and says whether that worked', async () => {
    const driver = await serving('hardened');
    expect(await call(relaxed)).toEqual({
      status: 1,
      lines: ['The panel did not leave Hardened mode; its log says why. Stop it, then type: sconce approvals'],
    });
    const said = call(relaxed);
    await driver.until(isFact('control.relaxed'), 1);
    driver.tell({ ...driver.serve, mode: 'relaxed' });
    expect(await said).toEqual({
      status: 0,
      lines: ['The panel has left Hardened mode and is in Relaxed mode now.'],
    });
    expect(await call(relaxed)).toMatchObject({ status: 0, lines: [expect.stringContaining('already')] });
    expect(existsSync(file)).toBe(true);
  });

  it('that does not listen, it removes no file', async () => {
    await locked();
    writeFileSync(file, '');
    expect(await call(list)).toMatchObject({ status: 1, lines: [expect.stringMatching(/^Sconce is starting, or/)] });
    expect(await call(relaxed)).toEqual({
      status: 1,
      lines: [expect.stringMatching(/^Sconce is starting, or/), 'Or stop it, then type: sconce approvals'],
    });
    expect(existsSync(file)).toBe(true);
  });

  it('that answers nonsense is none to believe', async () => {
    await locked();
    const other = createServer((socket) =>
      socket
        .on('error', () => {})
        .resume()
        .end('{"ok":true}\n'),
    );
    onTestFinished(() => void other.close());
    await new Promise<void>((resolve) => {
      other.listen(join(folder, 'approvals.sock'), resolve);
    });
    expect(await call(list)).toEqual({ status: 1, lines: ['Sconce is running, but does not answer. Restart it.'] });
  });
});
