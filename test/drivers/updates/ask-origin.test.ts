import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Asking, askOrigin, type UpdateSource } from '#drivers/updates/ask-origin.ts';
import { type Clone, readClone } from '#drivers/updates/clone.ts';
import { gitEnv, systemGit } from '#drivers/updates/git.ts';
import type { UpdateOutcome } from '#machines/updates/events.ts';
import { newestVersion } from '#machines/updates/newest-version.ts';
import { contentOf, makeRepositories, type Repositories } from './repositories.ts';

const signal = new AbortController().signal;
const git = systemGit();
const asking: Asking = { git, newestVersion };

let made: Repositories;
const temporary = process.env['TMPDIR'];
beforeAll(() => {
  made = makeRepositories();
  // Other files ask meanwhile, in the same folder.
  process.env['TMPDIR'] = mkdtempSync(join(tmpdir(), 'sconce-test-asking-'));
  made.publish('feat(all): begin', '## [0.1.0] - 2026-11-24\n');
});
afterAll(() => {
  rmSync(tmpdir(), { recursive: true });
  if (temporary === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = temporary;
  made.end();
});

async function cloneIn(folder: string): Promise<Clone> {
  const clone = await readClone(git, folder, signal);
  if (clone === null || clone === 'absent') throw new Error('no clone');
  return clone;
}
const sourceOf = (clone: Clone): UpdateSource => ({
  runsAs: 'by-hand',
  commit: clone.commit,
  origin: clone.origin,
  history: clone,
});
const ask = async (folder: string): Promise<UpdateOutcome> =>
  askOrigin(asking, sourceOf(await cloneIn(folder)), signal);
const unreachable = { status: 'unknown', reason: 'unreachable' };

/** The folders that questions were asked in and that are left. */
const left = (): readonly string[] => readdirSync(tmpdir());

describe('a clone and its origin', () => {
  it('is up to date, then behind, and is not touched', async () => {
    const folder = made.clone('plain');
    const before = contentOf(folder);
    expect(await ask(folder)).toEqual({ status: 'up-to-date' });
    made.publish('feat(screen): dim it', '## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n');
    made.publish(`fix(screen): ${'x'.repeat(200)}`);
    expect(await ask(folder)).toEqual({
      status: 'behind',
      runsAs: 'by-hand',
      commits: 2,
      version: '0.2.0',
      subject: `fix(screen): ${'x'.repeat(85)} …`,
    });
    expect(contentOf(folder)).toEqual(before);
    expect(left()).toEqual([]);
  });

  it('counts for a shallow clone, one of another branch and one that an installation noted', async () => {
    const [shallow, branch] = [made.clone('shallow', '--depth=1'), made.clone('branch')];
    made.git(branch, 'switch', '--quiet', '-c', 'mine', '--track', 'origin/main');
    const { commit, origin } = await cloneIn(branch);
    made.publish('docs(all): say it');
    expect(await ask(shallow)).toMatchObject({ status: 'behind', commits: 1, subject: 'docs(all): say it' });
    expect(await ask(branch)).toMatchObject({ status: 'behind', commits: 1 });
    expect(await askOrigin(asking, { runsAs: 'installed', commit, origin, history: null }, signal)).toEqual({
      status: 'behind',
      runsAs: 'installed',
      commits: 1,
      version: '0.2.0',
      subject: 'docs(all): say it',
    });
    made.git(branch, 'commit', '--quiet', '--allow-empty', '-m', 'aside');
    made.git(branch, 'push', '--quiet', 'origin', 'HEAD:aside');
    for (const other of ['a'.repeat(40), made.git(branch, 'rev-parse', 'HEAD')])
      // oxlint-disable-next-line no-await-in-loop -- one after another
      expect(
        await askOrigin(asking, { runsAs: 'installed', commit: other, origin, history: null }, signal),
      ).toMatchObject({ status: 'behind', commits: null });
  });

  it('with commits of its own is up to date as long as the origin has none', async () => {
    const folder = made.clone('ahead');
    made.git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'mine');
    expect(await ask(folder)).toEqual({ status: 'up-to-date' });
    made.publish('feat(all): more');
    expect(await ask(folder)).toMatchObject({ status: 'behind', commits: 1 });
  });

  it.skipIf(process.getuid?.() !== 0)('may belong to another user', async () => {
    const folder = made.clone('foreign');
    for (const name of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })])
      chownSync(join(folder, name), 12_345, 12_345);
    expect(await ask(folder)).toEqual({ status: 'up-to-date' });
  });

  it('runs nothing that a clone is set up to run', async () => {
    const folder = made.clone('armed');
    const proof = join(made.folder, 'proof');
    for (const key of [
      'core.fsmonitor',
      'core.sshCommand',
      'core.alternateRefsCommand',
      'core.pager',
      'credential.helper',
    ])
      made.git(folder, 'config', key, `touch ${proof}`);
    made.publish('feat(all): even more');
    expect(await ask(folder)).toMatchObject({ status: 'behind', commits: 1 });
    expect(readdirSync(made.folder)).not.toContain('proof');
  });

  it('has limits of its own for Git', async () => {
    const folder = made.clone('limits');
    made.git(folder, 'config', 'alias.limits', '!ulimit -d; ulimit -f');
    const { out } = await git([`--git-dir=${join(folder, '.git')}`, 'limits'], signal);
    expect(out).toBe('262144\n262144\n');
  });

  it('reads its log only from a file', async () => {
    const folder = made.clone('pipe');
    const log = join(folder, '.git/logs/HEAD');
    expect((await cloneIn(folder)).log).toContain('clone: from');
    rmSync(log);
    execFileSync('mkfifo', [log]);
    expect((await cloneIn(folder)).log).toBe('');
  });

  it('is none without an origin, without commits, or without Git', async () => {
    const [alone, empty] = [join(made.folder, 'alone'), join(made.folder, 'empty')];
    made.git(made.folder, 'init', '--quiet', alone);
    made.git(made.folder, 'init', '--quiet', empty);
    made.git(alone, 'commit', '--quiet', '--allow-empty', '-m', 'x');
    made.git(empty, 'remote', 'add', 'origin', made.origin);
    expect(await readClone(git, alone, signal)).toBeNull();
    expect(await readClone(git, empty, signal)).toBeNull();
    expect(await readClone(git, made.folder, signal)).toBeNull();
    expect(await readClone(systemGit({ PATH: '/nowhere' }), made.clone('no-git'), signal)).toBe('absent');
  });
});

it('is no crash if no temporary file can be written', async () => {
  const own = process.env['TMPDIR'] ?? '';
  process.env['TMPDIR'] = '/nonexistent';
  const origin = { url: made.origin, ref: 'HEAD' };
  const outcome = await askOrigin(asking, { runsAs: 'by-hand', commit: 'a', origin, history: null }, signal);
  process.env['TMPDIR'] = own;
  expect(outcome).toEqual({ status: 'unknown', reason: 'no-temporary-files' });
});

describe('an origin that does not answer', () => {
  const servers: Server[] = [];
  afterAll(() => {
    for (const server of servers) server.close();
  });
  const listen = async (server: Server): Promise<number> => {
    servers.push(server);
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    // A server that listens on TCP has an AddressInfo.
    return (server.address() as AddressInfo).port;
  };
  const askAt = (url: string, boundMs?: number): Promise<UpdateOutcome> =>
    askOrigin(
      asking,
      { runsAs: 'by-hand', commit: 'a'.repeat(40), origin: { url, ref: 'HEAD' }, history: null },
      signal,
      boundMs,
    );

  it('is not waited for beyond the bound, and no process is left', async () => {
    const port = await listen(createTcpServer((socket) => void socket.on('error', () => {})));
    expect(await askAt(`git://127.0.0.1:${port}/sconce`, 400)).toEqual(unreachable);
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(`:${port}/sconce`);
    expect(left()).toEqual([]);
  });

  it('asks nobody for a password, and says no address', async () => {
    const asked: (string | undefined)[] = [];
    const port = await listen(
      createServer(({ headers }, response) => {
        asked.push(headers.authorization);
        response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      }),
    );
    expect(await askAt(`http://127.0.0.1:${port}/sconce.git`)).toEqual(unreachable);
    expect(await askAt(`http://anna:hidden-word@127.0.0.1:${port}/sconce.git`)).toEqual(unreachable);
    expect(asked.length).toBeGreaterThan(1);
  });

  it.each([
    ['a path that is gone', '/nonexistent/sconce.git'],
    ['a program of its own in place of a protocol', 'fd::17'],
    ['an option in place of an address', '--upload-pack=touch'],
    ['an address of two lines', 'file:///x\n[core]\n\tfsmonitor = touch'],
  ])('is unreachable: %s', async (_, url) => expect(await askAt(url)).toEqual(unreachable));

  it('runs no command in place of an address', async () => {
    const proof = join(made.folder, 'ran');
    expect(await askAt(`ext::touch ${proof}`)).toEqual(unreachable);
    expect(readdirSync(made.folder)).not.toContain('ran');
  });

  it('leaves nothing of another Git in the environment', () => {
    const env = gitEnv({ GIT_DIR: '/x', GIT_CONFIG_COUNT: '1', HOME: '/home/anna' });
    expect(env).toMatchObject({ HOME: '/home/anna', GIT_TERMINAL_PROMPT: '0' });
    expect(Object.keys(env)).not.toEqual(expect.arrayContaining(['GIT_DIR']));
    expect(Object.keys(env)).not.toEqual(expect.arrayContaining(['GIT_CONFIG_COUNT']));
  });
});
