import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { commitsIn, faultOf } from './commits.mjs';

const program = fileURLToPath(new URL('commits.mjs', import.meta.url));
const of72 = `fix(screen): ${'x'.repeat(72 - 'fix(screen): '.length)}`;

it.each([
  'feat(configure): keep the page under its budget',
  'fix(entity-filter,store): write the set once',
  'refactor(kit)!: drop the older name',
  'revert(store): write the set once',
  'ci(run): check the messages',
  'docs(bench): explain `p99`, and why: it counts',
  of72,
])('a message passes: %s', (subject) => {
  expect(faultOf(subject)).toBeNull();
});

it.each([
  ['Keep the page under its budget', 'not of the form "type(area): subject"'],
  ['', 'not of the form "type(area): subject"'],
  ['Revert "fix(store): write the set once"', 'not of the form "type(area): subject"'],
  [
    'chore(deps): renew them',
    'the type "chore" is none of feat, fix, refactor, test, docs, perf, build, style, ci, revert',
  ],
  ['Fix(store): x', 'the type "Fix" is none of feat, fix, refactor, test, docs, perf, build, style, ci, revert'],
  ['fixup! fix(store): x', 'not of the form "type(area): subject"'],
  ['docs: say when', 'no area: write "docs(area): subject"'],
  ['docs(): say when', 'the area "" is not lower-case names with hyphens, separated by commas'],
  ['docs(The Bench): x', 'the area "The Bench" is not lower-case names with hyphens, separated by commas'],
  ['docs(bench):', 'no subject after the colon and one space'],
  ['docs(bench):say when', 'no subject after the colon and one space'],
  ['docs(bench):  say when', 'no subject after the colon and one space'],
  ['docs(bench): say when.', 'the subject ends in a full stop or a space'],
  [`${of72}x`, '73 characters; at most 72'],
])('a message is refused: %s', (subject, fault) => {
  expect(faultOf(subject)).toBe(fault);
});

describe('the commits that are checked', () => {
  let folder = '';
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', '-C', folder, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
    });
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const commit = (subject: string): void => {
    git('add', '-A');
    git('commit', '-q', '--allow-empty', '-m', subject);
  };
  const version = (text: string): void => write('package.json', `{\n  "name": "x",\n  "version": "${text}"\n}\n`);
  const subjects = (of = folder): readonly string[] | null => commitsIn(of)?.map(({ subject }) => subject) ?? null;
  const run = () => spawnSync(process.execPath, [program, folder], { encoding: 'utf8' });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sconce-commits-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const begin = (): void => {
    git('init', '-q', '-b', 'main');
    version('0.1.0');
    commit('Begin');
    mkdirSync(join(folder, 'test/rules'), { recursive: true });
    write('test/rules/commits.mjs', '');
    commit('Bring the check');
  };

  it('are those after the check came, without merges', () => {
    begin();
    expect(subjects()).toEqual([]);
    expect(run()).toMatchObject({ status: 0, stdout: 'commits: none since the last version in this history\n' });
    git('checkout', '-q', '-b', 'side');
    commit('fix(side): a');
    git('checkout', '-q', 'main');
    write('test/rules/commits.mjs', '// changed');
    commit('docs(main): b');
    git('merge', '-q', '--no-ff', '-m', 'Merge the side', 'side');
    expect(subjects()?.toSorted()).toEqual(['docs(main): b', 'fix(side): a']);
    expect(run()).toMatchObject({ status: 0, stdout: 'commits: 2 since the last version\n' });
  });

  it('are those after the last version once there is a later one', () => {
    begin();
    commit('Wrong');
    version('0.2.0');
    commit('build(release): 0.2.0');
    commit('fix(x): a');
    expect(subjects()).toEqual(['fix(x): a']);
  });

  it('fail together, each with its reason', () => {
    begin();
    commit('Wrong');
    commit('fix(x): right');
    commit('docs: without an area');
    const { status, stderr } = run();
    expect(status).toBe(1);
    expect(stderr.replaceAll(/^\w{7,} /gm, '')).toBe(
      'docs: without an area\n  no area: write "docs(area): subject"\n' +
        'Wrong\n  not of the form "type(area): subject"\n',
    );
  });

  it('are those that a shallow clone has, and none without a history', () => {
    begin();
    for (const subject of ['fix(x): a', 'fix(x): b', 'fix(x): c']) commit(subject);
    const shallow = join(folder, 'shallow');
    git('clone', '-q', '--depth', '2', `file://${folder}`, shallow);
    expect(subjects(shallow)).toEqual(['fix(x): c']);
    rmSync(join(folder, '.git'), { recursive: true });
    expect(run()).toMatchObject({
      status: 0,
      stdout: 'commits: the history is not here, so no message is checked\n',
    });
  });
});
