import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { readSteps, type Step } from '#test/rules/worked-example.ts';
import { pageTable } from '#ui/page-table.ts';

/** The folder of the sources. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The example of machines/README.md. */
export const exampleSteps: readonly Step[] = readSteps(readFileSync(join(root, 'machines/README.md'), 'utf8'));

/** One compilation of the whole agent on a machine that is busy otherwise. */
export const boundMs = 120_000;

/** Runs a program in a folder; "" where all is well, else what it said. */
const run = (cwd: string, program: string, args: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    execFile(program, args, { cwd, maxBuffer: 1e8, timeout: boundMs }, (failure, stdout, stderr) =>
      resolve(failure === null ? '' : `${stdout}${stderr}` || failure.message),
    );
  });

/** Builds the agent of a copy. */
export const buildIn = (copy: string): Promise<string> => run(copy, process.execPath, ['bin/build.mjs']);

/** Runs a tool of the repository in a copy. */
export const toolIn = (copy: string, name: string, ...args: readonly string[]): Promise<string> =>
  run(copy, join(root, 'node_modules/.bin', name), args);

/** Runs tests of a copy over its own sources, in one process: another one would load the whole agent again. */
export const testsIn = (copy: string, tests: readonly string[]): Promise<string> =>
  toolIn(copy, 'vitest', 'run', '--config', 'test/vitest.config.ts', '--project', 'pure', '--maxWorkers=1', ...tests);

/** Bytes that a page may have (look: "Weight"). */
const most = { document: 40_000, script: 40_000, stylesheet: 20_000 };

/**
 * Loads the pages of a running agent as a browser does, those of the settings' groups among them. Answers those that
 * are not served or weigh more than they may.
 */
export async function heavyPages(url: string, ownPaths: readonly string[]): Promise<readonly string[]> {
  const bytes = new Map<string, Promise<number>>();
  const sizeOf = (path: string): Promise<number> => {
    const known = bytes.get(path) ?? fetch(url + path).then(async (answer) => (await answer.arrayBuffer()).byteLength);
    bytes.set(path, known);
    return known;
  };
  const allOf = async (text: string, link: RegExp): Promise<number> => {
    const paths = Array.from(text.matchAll(link), ([, path = '']) => path).filter((path) => !/\/explorer\./.test(path));
    return (await Promise.all(paths.map(sizeOf))).reduce((sum, one) => sum + one, 0);
  };
  const configure = await (await fetch(`${url}/configure`)).text();
  const groups = Array.from(configure.matchAll(/class="group-link" href="([^"]+)"/g), ([, path = '']) => path);
  const tree = Object.values(pageTable).flatMap((page) => ('path' in page ? [page.path] : []));
  const paths = [...tree.filter((path) => path !== '/inspector'), ...groups, ...ownPaths];
  const found = await Promise.all(
    paths.map(async (path) => {
      const answer = await fetch(url + path, { headers: { accept: 'text/html' } });
      const text = await answer.text();
      const weights = {
        document: Buffer.byteLength(text),
        script: await allOf(text, /<script src="([^"]+)"/g),
        stylesheet: await allOf(text, /<link rel="stylesheet" href="([^"]+)"/g),
      };
      const over = (['document', 'script', 'stylesheet'] as const).filter(
        (kind) => weights[kind] === 0 || weights[kind] >= most[kind],
      );
      if (answer.status !== 200) return [`${path}: ${answer.status}`];
      return over.map((kind) => `${path}: ${kind} of ${weights[kind]} bytes`);
    }),
  );
  return found.flat();
}
