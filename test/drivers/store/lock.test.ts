import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import type { nativeCalls as RealCalls } from '#drivers/kit/native.ts';

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;

vi.mock('#drivers/kit/native.ts', async (original) => {
  // The module's own shape, of which one function is replaced.
  const real = await original<{ readonly nativeCalls: typeof RealCalls }>();
  return { ...real, nativeCalls: vi.fn(real.nativeCalls) };
});
// Test files share a process, and an earlier one may have loaded the lock with the real function.
vi.resetModules();
const { nativeCalls } = await import('#drivers/kit/native.ts');
const { askHolder, lockFile, lockFolder } = await import('#drivers/store/lock.ts');

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sconce-lock-'))));
afterEach(() => rmSync(folder, { recursive: true }));
const lockPath = (): string => join(folder, 'lock');

/** The lock of the folder, held; fails where it cannot be had. */
async function hold() {
  const lock = await lockFolder(folder);
  if (!lock.ok) throw new Error(lock.message);
  return lock.value;
}

describe.each(['koffi', 'the program flock'])('the lock of a data folder, by %s', (way) => {
  beforeEach(() => {
    if (way !== 'koffi') vi.mocked(nativeCalls).mockResolvedValue(null);
    return () => vi.mocked(nativeCalls).mockRestore();
  });

  it('lets one agent in, by whatever path, and the next once it has gone', async () => {
    const alias = `${folder}-alias`;
    symlinkSync(folder, alias);
    const first = await hold();
    expect(await lockFolder(alias)).toMatchObject({
      ok: false,
      reason: 'folder-in-use',
      message: expect.stringContaining('--data'),
    });
    first.release();
    const second = await lockFolder(alias);
    expect(second.ok).toBe(true);
    if (second.ok) second.value.release();
    unlinkSync(alias);
  });

  it('says who has it: the port is believed only while it is held', async () => {
    expect(await askHolder(folder)).toBe('free');
    expect(await askHolder(join(folder, 'none'))).toBe('free');
    expect(readdirSync(folder)).toEqual([]);
    const first = await hold();
    expect(await askHolder(folder)).toEqual({ port: null });
    first.notePort(18_201);
    expect(await askHolder(folder)).toEqual({ port: 18_201 });
    first.notePort(9);
    expect(await askHolder(folder)).toEqual({ port: 9 });
    first.notePort(-1);
    expect(await askHolder(folder)).toEqual({ port: null });
    first.notePort(18_201);
    first.release();
    expect([await askHolder(folder), readFileSync(lockPath(), 'utf8')]).toEqual(['free', '18201\n']);
    const second = await hold();
    expect(await askHolder(folder)).toEqual({ port: null });
    second.release();
  });
});

describe('the file of the lock', () => {
  it.each(['', '18201', '0\n', '-1\n', '123456\n', 'eighty\n', `${'1'.repeat(100_000)}\n`])(
    'names no port by %j',
    async (text) => {
      const lock = await hold();
      writeFileSync(lockPath(), text);
      expect(await askHolder(folder)).toEqual({ port: null });
      lock.release();
    },
  );

  it('is for its user alone, and of the folder’s owner where root makes it', async () => {
    if (isRoot) chownSync(folder, nobody, nobody);
    (await hold()).release();
    const { mode, uid } = statSync(lockPath());
    expect([mode & 0o777, uid]).toEqual([0o600, isRoot ? nobody : process.getuid?.()]);
  });

  it('is no link and no folder', async () => {
    const elsewhere = join(folder, 'elsewhere');
    symlinkSync(elsewhere, lockPath());
    expect(await lockFolder(folder)).toMatchObject({ ok: false, reason: 'lock-failed' });
    expect(existsSync(elsewhere)).toBe(false);
    expect(await askHolder(folder)).toEqual({ port: null });
    unlinkSync(lockPath());
    mkdirSync(lockPath());
    expect(await lockFolder(folder)).toMatchObject({ ok: false, reason: 'lock-failed' });
  });

  it('that was removed does not let a second agent in beside one that waited for it', async () => {
    const first = await hold();
    const waiting = lockFolder(folder);
    unlinkSync(lockPath());
    first.release();
    const second = await waiting;
    expect(second.ok).toBe(true);
    expect(await lockFolder(folder)).toMatchObject({ reason: 'folder-in-use' });
    if (second.ok) second.value.release();
  });

  it('is not made for who only looks after others, and the folder is locked in its place', async () => {
    const lock = await lockFolder(folder, { creates: false });
    expect([lock.ok, readdirSync(folder)]).toEqual([true, []]);
    expect(await lockFolder(folder, { creates: false })).toMatchObject({ reason: 'folder-in-use' });
    expect(await askHolder(folder)).toEqual({ port: null });
    if (lock.ok) lock.value.release();
    const agent = await hold();
    expect(await lockFolder(folder, { creates: false })).toMatchObject({ reason: 'folder-in-use' });
    agent.release();
  });

  it('says which code where the file system has no locks', async () => {
    const real = await nativeCalls();
    if (real === null) throw new Error('no build of koffi here');
    vi.mocked(nativeCalls).mockResolvedValue({ ...real, flock: () => 'ENOLCK' });
    expect(await lockFolder(folder)).toMatchObject({
      reason: 'lock-failed',
      message: expect.stringMatching(/ENOLCK.*network file system without locks.*--data/),
    });
    expect(await askHolder(folder)).toEqual({ port: null });
    vi.mocked(nativeCalls).mockRestore();
  });

  it('can stand anywhere', async () => {
    const path = join(folder, 'install.lock');
    const first = await lockFile(path);
    expect([first.ok, (await lockFile(path)).ok]).toEqual([true, false]);
    if (first.ok) first.value.release();
    const second = await lockFile(path);
    if (second.ok) second.value.release();
    expect([second.ok, (await lockFile(join(folder, 'none', 'x'))).ok]).toEqual([true, false]);
  });
});

/** Holds the lock of its argument and says how that went; with a child that outlives it, whose number it prints. */
const HOLDER = `
import { spawn } from 'node:child_process';
import { lockFolder } from '#drivers/store/lock.ts';
const lock = await lockFolder(process.argv[2]);
const child = spawn('sleep', ['60'], { stdio: 'ignore', detached: true });
console.log(lock.ok ? 'held' : lock.reason, child.pid);
setInterval(() => {}, 1000);
`;

describe('the lock between processes', () => {
  let program = '';
  const started: ChildProcess[] = [];
  const outlived: number[] = [];
  beforeAll(async () => {
    program = join(mkdtempSync(join(tmpdir(), 'sconce-holder-')), 'holder.mjs');
    await build({
      stdin: { contents: HOLDER, resolveDir: fileURLToPath(new URL('../../..', import.meta.url)) },
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['koffi'],
      logLevel: 'silent',
      banner: { js: `import { createRequire as r } from 'node:module';` },
    });
    chmodSync(join(program, '..'), 0o755);
  });
  afterEach(() => {
    for (const child of started.splice(0)) child.kill('SIGKILL');
    for (const pid of outlived.splice(0)) process.kill(pid, 'SIGKILL');
  });
  afterAll(() => rmSync(join(program, '..'), { recursive: true }));

  const holder = async (
    user: number | null = null,
  ): Promise<{ readonly child: ChildProcess; readonly said: string }> => {
    const child = spawn(process.execPath, [program, folder], {
      stdio: ['ignore', 'pipe', 'inherit'] as const,
      ...(user !== null && { uid: user, gid: user }),
    });
    started.push(child);
    const [said = '', pid = ''] = String(await once(child.stdout, 'data'))
      .trim()
      .split(' ');
    outlived.push(Number(pid));
    return { child, said };
  };

  it('is free at once after a kill, while a child of the agent lives on', async () => {
    const { child, said } = await holder();
    expect(said).toBe('held');
    expect(await lockFolder(folder)).toMatchObject({ reason: 'folder-in-use' });
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(() => process.kill(outlived[0] ?? 0, 0)).not.toThrow();
    (await hold()).release();
  });

  it('is not taken by another user, with neither the file nor a name that can be computed', async ({ skip }) => {
    if (!isRoot) skip('needs root, to be another user');
    (await hold()).release();
    expect((await holder(nobody)).said).toBe('lock-failed');
    (await hold()).release();
    // What kept every agent from starting before: an abstract socket, which any user may bind.
    const name = `\0sconce-${createHash('sha256').update(folder).digest('hex')}-`.padEnd(108, '0');
    const squatter = createServer().listen({ path: name });
    await once(squatter, 'listening');
    (await hold()).release();
    squatter.close();
  });
});
