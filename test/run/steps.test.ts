import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

import { amount } from '#test/fakes/amount.ts';
import { inAll } from '#test/fakes/in-all.ts';
import { counted, lookedAgain, scriptOf, suiteOf } from './evaluated.ts';

// Inside the project, so that the fixtures find vitest.
const folder = mkdtempSync(fileURLToPath(new URL('../../node_modules/.run-test-', import.meta.url)));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const aSuite = (name: string, body: string): string => suiteOf(folder, name, body);
const aScript = (name: string, body: string): string => scriptOf(folder, name, body);

/** A test that fails the first time it runs. */
function failingOnce(name: string): string {
  const mark = JSON.stringify(join(folder, `${name}-mark`));
  return `import { existsSync, writeFileSync } from 'node:fs';
    it('${name}', () => {
      const again = existsSync(${mark});
      writeFileSync(${mark}, '');
      expect(again).toBe(true);
    });`;
}

it('counts what passed, failed and was skipped, with the reason, and looks at nothing again by itself', () => {
  const skip = "it('c', (ctx) => ctx.skip('no camera here'));";
  const result = counted(
    aSuite('mixed', `${failingOnce('once')} it('a', () => {}); it('b', () => expect(1).toBe(2)); ${skip}`),
  );
  expect(result.passed).toBe(1);
  expect(result.failures).toHaveLength(2);
  expect(result.skips.map(({ reason }) => reason)).toEqual(['no camera here']);
});

inAll('fails a suite that runs less of the branches in a folder than it has to', () => {
  // Nothing below node_modules is measured.
  mkdirSync(fileURLToPath(new URL('../../.cache', import.meta.url)), { recursive: true });
  const measured = mkdtempSync(fileURLToPath(new URL('../../.cache/run-test-', import.meta.url)));
  try {
    mkdirSync(join(measured, 'decisions'));
    writeFileSync(
      join(measured, 'decisions/decide.mjs'),
      "export const decide = (a) => { if (a === 1) return 'one'; if (a === 2) return 'two'; return 'none'; };",
    );
    const half = suiteOf(
      measured,
      'half',
      "import { decide } from './decisions/decide.mjs'; it('a', () => expect(decide(1)).toBe('one'));",
    ).replace('30000', "30000, branches: { folder: 'decisions', floor: 90 }");
    // That a suite above its floor passes is seen in the step `unit` of every run.
    expect(counted(half)).toMatchObject({
      passed: 1,
      failures: [expect.stringMatching(/^decisions: \d\d % of branches, less than the floor of 90$/)],
    });
  } finally {
    rmSync(measured, { recursive: true, force: true });
  }
});

inAll('counts a set-up that fails once, whatever waited for it, and looks at it again', () => {
  const setUp = failingOnce('set-up').replace("it('set-up', ", 'beforeAll(');
  const waiting = "it.each([1, 2, 3, 4])('%i', () => {});";
  expect(lookedAgain(aSuite('waits', `${setUp} ${waiting}`))).toMatchObject({
    passed: 1,
    failures: [],
    skips: [],
    unsteady: [expect.stringMatching(/waits.test.mjs: expected false to be true/)],
  });
});

inAll('looks again at what failed where that is allowed, across projects, each file alone', () => {
  const projects = ['first', 'second', 'third'].map((name, groupOrder) => {
    aSuite(name, name === 'third' ? "it('third', () => expect(1).toBe(2));" : failingOnce(name));
    return { test: { name, include: [`${name}.test.mjs`], maxWorkers: groupOrder + 1, sequence: { groupOrder } } };
  });
  const config = join(folder, 'projects.config.mjs');
  writeFileSync(config, `export default ${JSON.stringify({ root: folder, test: { projects } })};`);
  const asked = `{ withinMs: 30000, projects: ['first', 'third'], filters: ['first.test', 'second.test', 'third.test'] }`;
  const result = lookedAgain(`suite('projects', ${JSON.stringify(config)}, ${asked})`);
  expect(result).toMatchObject({ passed: 1, failures: [expect.stringContaining('third.test.mjs > third')] });
  expect(result.unsteady).toEqual([expect.stringContaining('first.test.mjs > first')]);
});

const suites: readonly (readonly [string, () => string])[] = [
  ['a suite without a test', () => aSuite('empty', '')],
  ['a suite that cannot be loaded', () => aSuite('broken', "throw new Error('broken');")],
  [
    'an error outside a test',
    () =>
      aSuite(
        'late',
        "it('a', async () => { setTimeout(() => { throw new Error('late'); }, 1); await new Promise((r) => setTimeout(r, 100)); });",
      ),
  ],
  ['a suite whose configuration is missing', () => "suite('none', 'test/none/vitest.config.ts', { withinMs: 5000 })"],
];
const scripts: readonly (readonly [string, () => string])[] = [
  ['a script that fails', () => aScript('fails', 'exit 3')],
  ['a script that counts nothing', () => aScript('nothing', 'echo 0 passed, 0 failed')],
  ['a script that counts a failure but ends well', () => aScript('counts', 'echo 4 passed, 1 failed')],
  ['a script that does not end', () => aScript('hangs', 'sleep 60').replace('5000', '300')],
];
it.each([...amount([], suites), ...scripts])('fails for %s', (_, expression) => {
  expect(counted(expression()).failures.length).toBeGreaterThan(0);
});

it('takes the skips of a script with their reasons', () => {
  expect(
    counted(aScript('some', 'echo skipped: guest: not installed: qemu; echo 0 passed, 0 failed, 1 skipped')),
  ).toMatchObject({
    passed: 0,
    failures: [],
    skips: [{ what: 'guest', reason: 'not installed: qemu' }],
  });
});

it('takes exit code 77 of a script as skipped, its last line as the reason', () => {
  expect(counted(aScript('skips', 'echo skipped: no virtual machine here; exit 77'))).toMatchObject({
    passed: 0,
    failures: [],
    skips: [{ what: 'skips', reason: 'no virtual machine here' }],
  });
});

it('names the tests that failed in a script, and counts those that it does not name', () => {
  const said = ['ok one | 5 levels', 'failed: two | waited in vain', 'not ok 3 - three', '1 passed, 3 failed'];
  expect(counted(aScript('names', said.map((line) => `echo '${line}'`).join('\n')))).toMatchObject({
    passed: 1,
    failures: ['names: two | waited in vain', 'names: three', 'names: failure 1, see above'],
  });
});

it('looks again at what failed in a script that may run twice', () => {
  const mark = join(folder, 'script-mark');
  const first = "echo 'failed: once | late'; echo 'failed: never | wrong'; echo '1 passed, 2 failed'";
  const second = "echo 'ok once | 3 ms'; echo 'failed: never | wrong'; echo '2 passed, 1 failed'";
  const body = `if [ -e '${mark}' ]; then ${second}; else touch '${mark}'; ${first}; fi; exit 1`;
  expect(lookedAgain(aScript('looked', body).replace('withinMs', 'twice: true, withinMs'))).toMatchObject({
    passed: 2,
    failures: ['looked: never | wrong'],
    unsteady: ['looked: once | late'],
  });
});
