import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { askUpdates } from '#bin/ask-updates.ts';
import { programFolder } from '#machines/install/texts.ts';
import { makeRepositories, type Repositories } from '#test/drivers/updates/repositories.ts';

const signal = new AbortController().signal;
const installedIn = `${programFolder}/program-0123456789ab`;

let made: Repositories;
let [first, second, clone] = ['', '', ''];
beforeAll(() => {
  made = makeRepositories();
  first = made.publish('feat(all): begin');
  clone = made.clone('sconce');
  second = made.publish('fix(all): mend');
});
afterAll(() => made.end());

const from = { folder: '/home/anna/sconce', commit: 'a'.repeat(40), origin: 'https://x.invalid/y', ref: 'HEAD' };

describe('where to look for something newer', () => {
  it.each([
    ['an older installation', null, 'no-record'],
    ['an installation from a copy that was no clone', { ...from, commit: null }, 'no-clone'],
    ['an installation from a clone that needs a key', { ...from, origin: null }, 'private-origin'],
  ] as const)('%s: %s', async (_, noted, reason) =>
    expect(await askUpdates(0, signal, { folder: installedIn, installed: { from: noted } })).toEqual({
      status: 'unknown',
      reason,
    }),
  );

  it('a clone that the agent runs from, also after it was pulled', async () => {
    const behind = { status: 'behind', runsAs: 'by-hand', commits: 1, subject: 'fix(all): mend' };
    expect(await askUpdates(Date.now(), signal, { folder: clone, installed: null })).toMatchObject(behind);
    const startedAt = Date.now();
    // As if it had been cloned two minutes ago, and the agent started one minute ago.
    const log = join(clone, '.git/logs/HEAD');
    writeFileSync(log, readFileSync(log, 'utf8').replace(/> \d+ /, `> ${Math.floor(startedAt / 1000) - 120} `));
    made.git(clone, '-c', 'user.name=Anna', '-c', 'user.email=a@b', 'pull', '--quiet', '--ff-only');
    expect(await askUpdates(startedAt + 60_000, signal, { folder: clone, installed: null })).toEqual({
      status: 'up-to-date',
    });
    expect(await askUpdates(startedAt - 60_000, signal, { folder: clone, installed: null })).toMatchObject(behind);
  });

  it('a clone that something is installed from, about what is installed', async () => {
    const noted = { folder: clone, origin: null, ref: 'refs/heads/main' };
    const ask = (commit: string) =>
      askUpdates(Date.now(), signal, { folder: clone, installed: { from: { ...noted, commit } } });
    expect(await ask(first)).toMatchObject({ status: 'behind', runsAs: 'installed', commits: 1 });
    expect(await ask(second)).toEqual({ status: 'up-to-date' });
  });

  it('a clone that does not answer', async () => {
    const silent = made.clone('silent');
    const pipe = join(made.folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    made.git(silent, 'config', 'include.path', pipe);
    expect(await askUpdates(Date.now(), signal, { folder: silent, installed: null, boundMs: 300 })).toEqual({
      status: 'unknown',
      reason: 'unreachable',
    });
  });

  it('no clone, and no Git', async () => {
    expect(await askUpdates(0, signal, { folder: made.folder, installed: null })).toEqual({
      status: 'unknown',
      reason: 'no-clone',
    });
    const git = () => Promise.resolve({ status: 'absent', out: '' } as const);
    expect(await askUpdates(0, signal, { folder: clone, installed: null, git })).toEqual({
      status: 'unknown',
      reason: 'no-git',
    });
  });
});
