import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tree = mkdtempSync(join(tmpdir(), 'sconce-unused-'));

/** A product of two files, a file that nothing loads, and a test. */
const files: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({
    name: 'x',
    type: 'module',
    dependencies: { zod: '1', hono: '1' },
    devDependencies: { vitest: '1', xstate: '1' },
  }),
  'bin/main.ts': [
    "import { z } from 'zod';",
    "import ws from 'ws';",
    "import { used } from '../machines/decide.ts';",
    'console.log(z, ws, used);',
  ].join('\n'),
  'machines/decide.ts': [
    'export const used = 1;',
    'export const ofNobody = 2;',
    'export type OfNobody = 3;',
    'export const ofTests = 4;',
    'const table = 5;',
    'export const tested = table;',
    'export const bySelf = (): number => tested;',
    'console.log(bySelf());',
  ].join('\n'),
  'machines/forgotten.ts': 'console.log(1);',
  'machines/of-tests.ts': 'console.log(1);',
  'test/machines/decide.test.ts': [
    "import { it } from 'vitest';",
    "import { bySelf, ofTests, tested } from '../../machines/decide.ts';",
    "import '../../machines/of-tests.ts';",
    "import './helper.ts';",
    "it('x', () => console.log(bySelf, ofTests, tested));",
  ].join('\n'),
  'test/machines/helper.ts': 'console.log(1);',
  'test/machines/old-helper.ts': 'console.log(1);',
};

beforeAll(() => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, name)), { recursive: true });
    writeFileSync(join(tree, name), `${text}\n`);
  }
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
});
afterAll(() => rmSync(tree, { recursive: true, force: true }));

type Row = { readonly file: string } & Readonly<Record<string, unknown>>;

/** What is found in the tree, as `kind file: name`. */
async function found(...more: readonly string[]): Promise<readonly string[]> {
  const config = join(root, 'test/rules/knip.config.ts');
  const args = ['--config', config, '--reporter', 'json', '--no-config-hints', '--no-progress', ...more];
  const output = await new Promise<string>((resolve) => {
    execFile(join(root, 'node_modules/.bin/knip'), args, { cwd: tree }, (_, stdout, stderr) =>
      resolve(stdout === '' ? JSON.stringify({ issues: [{ file: stderr, failed: [{ name: '' }] }] }) : stdout),
    );
  });
  const { issues } = JSON.parse(output) as { readonly issues: readonly Row[] };
  return issues
    .flatMap(({ file, ...kinds }) =>
      Object.entries(kinds).flatMap(([kind, rows]) =>
        Array.isArray(rows) ? rows.map(({ name }: { readonly name: string }) => `${kind} ${file}: ${name}`) : [],
      ),
    )
    .toSorted();
}

it('finds what neither the product nor a test uses, and packages that are not listed or not used', async () => {
  expect(await found()).toEqual([
    'dependencies package.json: hono',
    'devDependencies package.json: xstate',
    'exports machines/decide.ts: ofNobody',
    'files machines/forgotten.ts: machines/forgotten.ts',
    'files test/machines/old-helper.ts: test/machines/old-helper.ts',
    'types machines/decide.ts: OfNobody',
    'unlisted bin/main.ts: ws',
  ]);
});

it('finds what of the product only tests use; a decision that its own file uses may be tested', async () => {
  expect(await found('--production')).toEqual([
    'dependencies package.json: hono',
    'exports machines/decide.ts: ofNobody',
    'exports machines/decide.ts: ofTests',
    'files machines/forgotten.ts: machines/forgotten.ts',
    'files machines/of-tests.ts: machines/of-tests.ts',
    'types machines/decide.ts: OfNobody',
    'unlisted bin/main.ts: ws',
  ]);
});
