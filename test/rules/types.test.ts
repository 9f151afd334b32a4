import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = 'test/rules/bad/types';
/** Stands at the end of each line that the compiler must refuse, with the reason. */
const marker = /\/\/ refused: \S/;
/** What the compiler remembers of the last time. */
const seen = '.cache/types/refused.json';
/** One compilation of everything that the fixtures import. */
const boundMs = 120_000;

const fixtures = readdirSync(join(root, folder)).filter((name) => name.endsWith('.ts'));

const markedLines = (name: string): readonly number[] =>
  readFileSync(join(root, folder, name), 'utf8')
    .split('\n')
    .flatMap((line, index) => (marker.test(line) ? [index + 1] : []));

const compile = (): Promise<string> =>
  new Promise((resolve) => {
    // It ends with an error by intention: what it prints is what counts.
    execFile(
      join(root, 'node_modules/.bin/tsc'),
      // Each further checker looks at much of what the first has looked at.
      [
        '-p',
        join(folder, 'tsconfig.json'),
        '--pretty',
        'false',
        '--checkers',
        '1',
        '--incremental',
        '--tsBuildInfoFile',
        seen,
      ],
      { cwd: root, maxBuffer: 1e8, timeout: boundMs },
      (_, stdout) => resolve(stdout),
    );
  });

describe('what the compiler must refuse', () => {
  let refused = new Map<string, readonly number[]>();
  let elsewhere: readonly string[] = [];

  beforeAll(async () => {
    const lines = (await compile()).split('\n').filter((line) => /error TS\d+:/.test(line));
    const errors = lines.map((line) => /^(?<path>[^(]+)\((?<line>\d+),\d+\): error/.exec(line)?.groups);
    refused = new Map(
      fixtures.map((name) => [
        name,
        [...new Set(errors.flatMap((at) => (at?.['path'] === `${folder}/${name}` ? [Number(at['line'])] : [])))],
      ]),
    );
    // An error in the sources is found by `npm run types`; one without a place is the compiler's own.
    elsewhere = lines.filter((_, index) => errors[index] === undefined);
  }, boundMs);

  it('is compiled at all', () => {
    expect(fixtures.length).toBeGreaterThan(0);
    expect(elsewhere).toEqual([]);
  });

  for (const name of fixtures)
    it(`${name}: every marked line and no other`, () => {
      expect(markedLines(name).length).toBeGreaterThan(0);
      expect(refused.get(name)).toEqual(markedLines(name));
    });
});
