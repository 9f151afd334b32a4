import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Edge, isAllowed, wrongWays } from './layer-table.ts';
import { bundledEdges, sourceFiles, writtenEdges } from './read-edges.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folders = ['bin', 'machines', 'drivers', 'profiles', 'actors', 'routes', 'ui'];
const wrong = (edges: readonly Edge[]): readonly string[] =>
  edges.filter((edge) => !isAllowed(edge)).map(({ from, to, kind }) => `${from} -> ${to} (${kind})`);

describe('the layers of the house', () => {
  it('hold for every import as it is written', () => {
    const files = sourceFiles(root, folders);
    const edges = files.flatMap((file) => writtenEdges(root, file));
    expect(files.length).toBeGreaterThan(50);
    expect(edges.length).toBeGreaterThan(files.length);
    expect(wrong(edges)).toEqual([]);
    expect(files.filter((file) => /^machines\/[^/]+\/index\.ts$/.test(file)).length).toBeGreaterThan(30);
    expect(wrongWays(edges)).toEqual([]);
  });

  it('hold for every edge that the bundler resolves from bin/main.ts', async () => {
    expect(existsSync(join(root, 'bin/main.ts')), 'bin/main.ts is missing: there is nothing to check').toBe(true);
    const { modules, edges } = await bundledEdges(root, ['bin/main.ts']);
    expect(modules).toBeGreaterThan(0);
    expect(edges.length).toBeGreaterThan(0);
    expect(new Set(edges.map(({ from }) => from.split('/')[0]))).toEqual(new Set(folders));
    expect(wrong(edges)).toEqual([]);
    expect(wrongWays(edges)).toEqual([]);
  });
});

/** Each room of the table with the ways in which a file of it may break the table. */
const badRooms = ['machines', 'drivers', 'profiles', 'actors', 'routes', 'ui'] as const;
const forms = ['static', 'type', 'dynamic', 're-export'] as const;

describe('the bad fixtures are refused', () => {
  let copy = '';
  let linted = new Map<string, number>();
  let bundled: readonly Edge[] = [];
  let ways: readonly string[] = [];

  beforeAll(async () => {
    // A tree of its own, so that the linter's rules per folder apply to it as they do to the real one.
    copy = mkdtempSync(join(tmpdir(), 'sconce-layers-'));
    cpSync(join(root, 'test/rules/bad'), copy, { recursive: true });
    cpSync(join(root, '.oxlintrc.json'), join(copy, '.oxlintrc.json'));
    const output = await new Promise<string>((resolve) => {
      execFile(
        join(root, 'node_modules/.bin/oxlint'),
        ['-c', '.oxlintrc.json', '-f', 'json', '.'],
        { cwd: copy, maxBuffer: 1e8 },
        (_, stdout) => resolve(stdout),
      );
    });
    // The linter's own format; a field that is missing makes the tests below fail.
    const { diagnostics } = JSON.parse(output) as { diagnostics: { filename: string; code: string }[] };
    linted = new Map();
    for (const { filename, code } of diagnostics)
      if (/no-restricted-imports/.test(code)) linted.set(filename, (linted.get(filename) ?? 0) + 1);
    const files = sourceFiles(copy, [...badRooms]);
    bundled = (await bundledEdges(copy, files)).edges;
    ways = wrongWays(files.flatMap((file) => writtenEdges(copy, file)));
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  it('has a fixture for each form in each room', () => {
    const files = sourceFiles(join(root, 'test/rules/bad'), [...badRooms]);
    for (const room of badRooms) for (const form of forms) expect(files).toContain(`${room}/bad/${form}.ts`);
  });

  for (const room of badRooms) {
    for (const form of forms) {
      const file = `${room}/bad/${form}.ts`;
      it(file, () => {
        const bad = (edges: readonly Edge[]): boolean => wrong(edges.filter(({ from }) => from === file)).length > 0;
        expect(bad(writtenEdges(copy, file)), 'the written import').toBe(true);
        // The linter does not look at import(), the bundler has no types left.
        if (form !== 'dynamic') expect(linted.has(file), 'the linter').toBe(true);
        if (form !== 'type') expect(bad(bundled), 'the bundler').toBe(true);
      });
    }
  }

  const others = sourceFiles(join(root, 'test/rules/bad'), [...badRooms]).filter((file) =>
    // A folder of its own for each manifest, of which only the manifest itself is at fault.
    /\/worse\/|\/worse-[a-z-]+\/index\.ts$/.test(file),
  );
  it('has more of them', () => expect(others.length).toBeGreaterThan(0));
  for (const file of others) {
    it(file, () => {
      const refused =
        linted.has(file) ||
        wrong(writtenEdges(copy, file)).length > 0 ||
        ways.some((way) => way.startsWith(`${file} -> `));
      expect(refused, readFileSync(join(copy, file), 'utf8')).toBe(true);
    });
  }

  const good = sourceFiles(join(root, 'test/rules/bad'), [...badRooms]).filter((file) =>
    /\/good(?:-[a-z-]+)?\//.test(file),
  );
  for (const file of good) {
    it(`${file} is accepted`, () => {
      expect(linted.get(file) ?? 0).toBe(0);
      expect(wrong(writtenEdges(copy, file))).toEqual([]);
      expect(ways.filter((way) => way.startsWith(file))).toEqual([]);
    });
  }

  it('machines/actors.ts: what is there at run time, and a manifest', () => {
    expect(wrong(writtenEdges(copy, 'machines/actors.ts'))).toEqual([
      'machines/actors.ts -> machines/target/thing.ts (value)',
      'machines/actors.ts -> machines/good-manifest/index.ts (type)',
    ]);
  });

  it('a manifest that reaches over its own files what it must not', () => {
    const around = ['walk', 'machine'].map((name) => `machines/worse-way-to-${name}/index.ts`);
    for (const file of around) expect(wrong(writtenEdges(copy, file)), file).toEqual([]);
    const [walk, machine] = around.map((file) => file.replace('/index.ts', ''));
    const expected = [
      `${machine}/index.ts -> ${machine}/rows.ts -> ${machine}/machine.ts`,
      `${walk}/index.ts -> ${walk}/status.ts -> ${walk}/words.ts -> machines/settings.ts`,
    ];
    expect(ways.filter((way) => way.includes('/worse-way-to-')).toSorted()).toEqual(expected);
    const resolved = wrongWays(bundled);
    for (const way of expected) expect(resolved).toContain(way);
  });
});
