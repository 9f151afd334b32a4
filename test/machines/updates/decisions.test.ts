import { describe, expect, it } from 'vitest';

import type { UpdateOutcome, UpdatesContext } from '#machines/updates/events.ts';
import { isNewer, newestVersion } from '#machines/updates/newest-version.ts';
import { publicOrigin } from '#machines/updates/public-origin.ts';
import { commitAt } from '#machines/updates/running-commit.ts';
import { UpdatesDocument, viewOf } from '#machines/updates/status.ts';
import { updateWords } from '#machines/updates/words.ts';

const [a, b, c] = ['a', 'b', 'c'].map((digit) => digit.repeat(40)) as [string, string, string];
const none = '0'.repeat(40);

describe('the commit that runs', () => {
  const line = (from: string, to: string, seconds: number): string =>
    `${from} ${to} Anna <anna@example.org> ${seconds} +0100\tpull: Fast-forward`;
  const log = [line(none, a, 100), line(a, b, 200), line(b, c, 300), ''].join('\n');

  it.each([
    ['started after the last pull', 301_000, c],
    ['started before the last pull', 250_000, b],
    ['started before both', 150_000, a],
    ['started before the clone, by a clock that was wrong', 50_000, c],
  ])('%s', (_, startedAt, commit) => expect(commitAt(log, c, startedAt)).toBe(commit));

  it.each(['', 'nonsense\n', `${a} ${b} Anna <a> soon +0100\n`])('is HEAD if the log says nothing: %j', (text) =>
    expect(commitAt(text, c, 1)).toBe(c),
  );
});

describe('versions', () => {
  it('has the newest of a changelog, without what is not released', () => {
    expect(
      newestVersion('# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n## [0.1.0] - 2026-11-24\n'),
    ).toBe('0.2.0');
    expect(newestVersion('# Changelog\n\n## [Unreleased]\n')).toBeNull();
    expect(newestVersion(`## [${'9'.repeat(100_000)}.0.0]\n`)).toBeNull();
  });

  it.each([
    ['0.2.0', '0.1.9', true],
    ['0.10.0', '0.9.0', true],
    ['0.2.0', '0.2.0-dev', true],
    ['0.2.0-dev', '0.2.0', false],
    ['0.2.0', '0.2.0', false],
    ['0.1.0', '0.2.0-dev', false],
    ['1.0.0', 'nonsense', false],
  ])('%s is newer than %s: %s', (one, other, newer) => expect(isNewer(one, other)).toBe(newer));
});

describe('what an installation may note of its origin', () => {
  it.each([
    ['https://example.org/sconce.git', true],
    ['http://git.lan/sconce', true],
    ['git://git.lan/sconce', true],
    ['https://anna@example.org/sconce.git', false],
    ['https://anna:secret@example.org/sconce.git', false],
    ['https://example.org/sconce.git?private_token=secret', false],
    ['https://example.org/sconce.git#secret', false],
    ['ssh://git@example.org/sconce.git', false],
    ['git@example.org:sconce.git', false],
    ['/home/anna/sconce', false],
    ['file:///home/anna/sconce', false],
  ])('%s: %s', (address, isNoted) => expect(publicOrigin(address)).toBe(isNoted ? address : null));
});

const behind: UpdateOutcome = {
  status: 'behind',
  runsAs: 'installed',
  commits: 3,
  version: '0.3.0',
  subject: 'fix(screen): light it',
};
const pull = 'git pull && sudo bin/sconce install';

describe('the answer in words', () => {
  it.each<[UpdateOutcome, string, string | null]>([
    [{ status: 'up-to-date' }, 'Sconce is up to date.', null],
    [behind, 'An update is available: version 0.3.0, 3 commits ahead.', pull],
    [
      { ...behind, commits: 1, version: '0.2.0' },
      'An update is available: one commit, the newest "fix(screen): light it".',
      pull,
    ],
    [
      { ...behind, runsAs: 'by-hand', commits: null, version: null, subject: null },
      'The repository that Sconce was cloned from has a different commit from the one that runs here.',
      'git pull && bin/run',
    ],
    [
      { status: 'unknown', reason: 'no-record' },
      'This installation did not note where it came from, so there is no place to look for updates. The next one will.',
      pull,
    ],
    [
      { status: 'unknown', reason: 'no-clone' },
      'This copy of Sconce is not a Git clone with an origin, so there is no place to look for updates.',
      null,
    ],
    [
      { status: 'unknown', reason: 'private-origin' },
      'Updates can only be looked for from the folder that Sconce was installed from.',
      'bin/sconce doctor --updates',
    ],
    [
      { status: 'unknown', reason: 'unreachable' },
      'The repository that Sconce was cloned from does not answer. Check that this machine is online, then try again.',
      null,
    ],
    [
      { status: 'unknown', reason: 'no-temporary-files' },
      'Sconce cannot write temporary files on this machine; its disk may be full. Free up space, then try again.',
      null,
    ],
    [
      { status: 'unknown', reason: 'no-git' },
      'Git is not installed on this machine, so Sconce cannot look for updates.',
      'sudo apt-get install git',
    ],
  ])('%j', (outcome, sentence, command) => {
    const words = updateWords(outcome, '0.2.0');
    expect([words.sentence, words.fix?.command ?? null]).toEqual([sentence, command]);
    expect(words.fix?.effect).not.toBe('');
  });
});

describe('the status section', () => {
  const view = (value: string, context: UpdatesContext) => UpdatesDocument().parse(viewOf({ value, context }, '0.2.0'));

  it('says that nothing was asked, that it asks, and what the answer is', () => {
    expect(view('resting', { askedAt: null, outcome: null })).toMatchObject({ state: 'not_asked', sentence: '' });
    expect(view('asking', { askedAt: 5, outcome: behind })).toMatchObject({ state: 'asking', fix: null, asked_at: 5 });
    expect(view('resting', { askedAt: 5, outcome: behind })).toMatchObject({
      state: 'behind',
      commits: 3,
      version: '0.3.0',
      subject: 'fix(screen): light it',
      fix: { command: pull },
    });
    expect(view('resting', { askedAt: 5, outcome: { status: 'up-to-date' } })).toMatchObject({ state: 'up_to_date' });
    expect(view('resting', { askedAt: 5, outcome: { status: 'unknown', reason: 'no-git' } })).toMatchObject({
      state: 'unknown',
      reason: 'no-git',
    });
  });
});
