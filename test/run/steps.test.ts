import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
// Inside the project, so that the fixtures find vitest.
const folder = mkdtempSync(join(root, 'node_modules/.run-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Counted {
  readonly passed: number;
  readonly failures: readonly string[];
  readonly skips: readonly { readonly what: string; readonly reason: string }[];
  readonly unsteady: readonly string[];
}

const evaluated = (expression: string): unknown => {
  const code = `import { closing, script, suite } from './test/run/steps.mjs';
    const log = console.log; process.stdout.write = () => true; process.stderr.write = () => true;
    const result = await ${expression};
    require('node:fs').writeSync(1, JSON.stringify(result));`;
  const from = JSON.stringify(join(root, 'x.js'));
  const withRequire = `import { createRequire } from 'node:module'; const require = createRequire(${from}); ${code}`;
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', withRequire], { cwd: root, encoding: 'utf8' }),
  );
};
// The shape is what steps.mjs returns; a wrong one fails the comparison.
const counted = (expression: string): Counted => evaluated(expression) as Counted;

const suiteOf = (name: string, body: string): string => {
  const config = join(folder, `${name}.config.mjs`);
  writeFileSync(join(folder, `${name}.test.mjs`), `import { it, expect } from 'vitest';\n${body}`);
  writeFileSync(config, `export default { root: ${JSON.stringify(folder)}, test: { include: ['${name}.test.mjs'] } };`);
  return `suite('${name}', ${JSON.stringify(config)}, { withinMs: 30000 })`;
};

const scriptOf = (name: string, body: string): string => {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
  return `script('${name}', ${JSON.stringify(file)}, { withinMs: 5000 })`;
};

it('counts what passed, failed and was skipped, with the reason', () => {
  const result = counted(
    suiteOf(
      'mixed',
      "it('a', () => {}); it('b', () => expect(1).toBe(2)); it('c', (ctx) => ctx.skip('no camera here'));",
    ),
  );
  expect(result.passed).toBe(1);
  expect(result.failures).toHaveLength(1);
  expect(result.skips.map((skip) => skip.reason)).toEqual(['no camera here']);
});

it('looks a second time at a test that failed, and tells the one that passes then from the one that never does', () => {
  const mark = JSON.stringify(join(folder, 'mark'));
  const once = `import { existsSync, writeFileSync } from 'node:fs'; it('once', () => { const again = existsSync(${mark}); writeFileSync(${mark}, ''); expect(again).toBe(true); });`;
  const result = counted(suiteOf('unsteady', `${once} it('never', () => expect(1).toBe(2)); it('always', () => {});`));
  expect(result.unsteady).toHaveLength(1);
  expect(result.unsteady[0]).toContain('once');
  expect(result.passed).toBe(2);
  expect(result.failures).toHaveLength(1);
  expect(result.failures[0]).toContain('never');
});

it('filters, counts and looks again across the projects of a configuration', () => {
  const onceIn = (name: string): string => {
    const mark = JSON.stringify(join(folder, `${name}-mark`));
    return `import { existsSync, writeFileSync } from 'node:fs';
      it('${name}', () => {
        const again = existsSync(${mark});
        writeFileSync(${mark}, '');
        expect(again).toBe(true);
      });`;
  };
  const projects = ['first', 'second', 'third'].map((name, groupOrder) => {
    suiteOf(name, `${name === 'third' ? "it('third', () => expect(1).toBe(2));" : onceIn(name)} it('also', () => {});`);
    return { test: { name, include: [`${name}.test.mjs`], maxWorkers: groupOrder + 1, sequence: { groupOrder } } };
  });
  const config = join(folder, 'projects.config.mjs');
  writeFileSync(config, `export default ${JSON.stringify({ root: folder, test: { projects } })};`);
  const result = counted(
    `suite('projects', ${JSON.stringify(config)}, { withinMs: 30000, filters: ['first.test', 'second.test'] })`,
  );
  expect(result).toMatchObject({ passed: 4, failures: [] });
  expect(result.unsteady).toHaveLength(2);
});

it.each([
  ['a suite without a test', () => suiteOf('empty', '')],
  ['a suite that cannot be loaded', () => suiteOf('broken', "throw new Error('broken');")],
  [
    'an error outside a test',
    () =>
      suiteOf(
        'late',
        "it('a', async () => { setTimeout(() => { throw new Error('late'); }, 1); await new Promise((r) => setTimeout(r, 100)); });",
      ),
  ],
  ['a suite whose configuration is missing', () => "suite('none', 'test/none/vitest.config.ts', { withinMs: 5000 })"],
  ['a script that fails', () => scriptOf('fails', 'exit 3')],
  ['a script that counts nothing', () => scriptOf('nothing', 'echo 0 passed, 0 failed')],
  ['a script that counts a failure but ends well', () => scriptOf('counts', 'echo 4 passed, 1 failed')],
  ['a script that does not end', () => scriptOf('hangs', 'sleep 60').replace('5000', '300')],
])('fails for %s', (_, expression) => {
  expect(counted(expression()).failures.length).toBeGreaterThan(0);
});

it('takes the skips of a script with their reasons', () => {
  expect(
    counted(scriptOf('some', 'echo skipped: guest: not installed: qemu; echo 0 passed, 0 failed, 1 skipped')),
  ).toMatchObject({
    passed: 0,
    failures: [],
    skips: [{ what: 'guest', reason: 'not installed: qemu' }],
  });
});

it('takes exit code 77 of a script as skipped, its last line as the reason', () => {
  expect(counted(scriptOf('skips', 'echo skipped: no virtual machine here; exit 77'))).toMatchObject({
    passed: 0,
    failures: [],
    skips: [{ what: 'skips', reason: 'no virtual machine here' }],
  });
});

it('names the tests that failed in a script, and counts those that it does not name', () => {
  const said = ['ok one | 5 levels', 'failed: two | waited in vain', 'not ok 3 - three', '1 passed, 3 failed'];
  expect(counted(scriptOf('names', said.map((line) => `echo '${line}'`).join('\n')))).toMatchObject({
    passed: 1,
    failures: ['names: two | waited in vain', 'names: three', 'names: failure 1, see above'],
    unsteady: [],
  });
});

it('looks a second time at what failed in a script that may run twice', () => {
  const mark = join(folder, 'script-mark');
  const first = "echo 'failed: once | late'; echo 'failed: never | wrong'; echo '1 passed, 2 failed'";
  const second = "echo 'ok once | 3 ms'; echo 'failed: never | wrong'; echo '2 passed, 1 failed'";
  const body = `if [ -e '${mark}' ]; then ${second}; else touch '${mark}'; ${first}; fi; exit 1`;
  expect(counted(scriptOf('looked', body).replace('withinMs', 'twice: true, withinMs'))).toMatchObject({
    passed: 2,
    failures: ['looked: never | wrong'],
    unsteady: ['looked: once'],
  });
});

it('ends with what failed and the sum, after one line for each reason of a skip', () => {
  const skips = ['a', 'b', 'c'].map((what) => ({ what, reason: 'needs x' })).concat({ what: 'd', reason: 'no camera' });
  const totals = { passed: 7, failures: ['e.test.ts > e'], unsteady: ['f.test.ts > f'], skips };
  expect(evaluated(`closing(${JSON.stringify(totals)})`)).toEqual([
    'skipped: 3 tests: needs x; such as a',
    'skipped: d: no camera',
    'unsteady: f.test.ts > f: failed at first and passed when it was run again; find its race',
    'failed: e.test.ts > e',
    '7 passed, 1 failed, 4 skipped',
  ]);
  expect(evaluated(`closing(${JSON.stringify({ ...totals, skips: [] })})`)).toContain('7 passed, 1 failed');
});
