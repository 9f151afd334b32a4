import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeWhole } from '#drivers/install/files.ts';
import { filesOf } from '#drivers/install/home-files.ts';
import { isProgramCurrent, type ProgramSource, copyProgram } from '#drivers/install/program.ts';

let base: string;
let source: ProgramSource;
const folder = (): string => join(base, 'lib/sconce');
const isThere = (): boolean => isProgramCurrent(source, folder(), join(base, 'scratch'));

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'sconce-program-'));
  source = { dist: join(base, 'from/dist'), modules: join(base, 'from/node_modules'), node: null };
  for (const name of [
    'from/dist/assets',
    'from/node_modules/koffi/doc',
    'from/node_modules/@koromix/koffi-linux-x64',
    'from/node_modules/other',
  ])
    mkdirSync(join(base, name), { recursive: true });
  writeFileSync(join(source.dist, 'agent.cjs'), 'one', { mode: 0o600 });
  writeFileSync(join(source.dist, 'relight'), '#!/bin/sh', { mode: 0o700 });
  writeFileSync(join(source.dist, 'assets/app.js'), 'app');
  writeFileSync(join(source.dist, 'meta.json'), '{}');
  writeFileSync(join(source.dist, 'NOTICES.txt'), 'licences');
  writeFileSync(join(source.modules, 'koffi/index.cjs'), 'koffi');
  writeFileSync(join(source.modules, 'koffi/doc/index.md'), 'doc');
  writeFileSync(join(source.modules, '@koromix/koffi-linux-x64/index.js'), 'native');
  writeFileSync(join(source.modules, 'other/index.js'), 'other');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

describe('the installed program', () => {
  it('has a Node.js of its own where it needs one, and not any more once the system has one', () => {
    const node = join(base, 'from/node');
    writeFileSync(node, 'node', { mode: 0o700 });
    copyProgram(source, folder());
    source = { ...source, node };
    expect(isThere()).toBe(false);
    copyProgram(source, folder());
    expect(isThere()).toBe(true);
    expect(statSync(join(folder(), 'program/node')).mode & 0o777).toBe(0o755);
    source = { ...source, node: null };
    expect(isThere()).toBe(false);
  });

  it('has what runs, readable by all and changed by none', () => {
    expect(isThere()).toBe(false);
    copyProgram(source, folder());
    expect(isThere()).toBe(true);
    const program = join(folder(), 'program');
    expect(readdirSync(program, { recursive: true }).map(String).toSorted()).toEqual(
      [
        'dist',
        'dist/NOTICES.txt',
        'dist/agent.cjs',
        'dist/assets',
        'dist/assets/app.js',
        'dist/relight',
        'node_modules',
        'node_modules/@koromix',
        'node_modules/@koromix/koffi-linux-x64',
        'node_modules/@koromix/koffi-linux-x64/index.js',
        'node_modules/koffi',
        'node_modules/koffi/index.cjs',
      ].toSorted(),
    );
    expect(statSync(join(program, 'dist/agent.cjs')).mode & 0o777).toBe(0o644);
    expect(statSync(join(program, 'dist/relight')).mode & 0o777).toBe(0o755);
  });

  it('is changed over as a whole when there is a newer one, and repaired when it is damaged', () => {
    copyProgram(source, folder());
    const first = readlinkSync(join(folder(), 'program'));
    writeFileSync(join(source.dist, 'agent.cjs'), 'two');
    expect(isThere()).toBe(false);
    mkdirSync(join(folder(), 'program.new'));
    copyProgram(source, folder());
    expect(readlinkSync(join(folder(), 'program'))).not.toBe(first);
    expect(readdirSync(folder())).toHaveLength(2);
    writeFileSync(join(folder(), 'program/dist/agent.cjs'), 'broken');
    expect(isThere()).toBe(false);
    copyProgram(source, folder());
    expect(readFileSync(join(folder(), 'program/dist/agent.cjs'), 'utf8')).toBe('two');
    expect(isThere()).toBe(true);
  });
});

describe('a file that is written', () => {
  it('is there as a whole, with its folders, over what an earlier try left', () => {
    const path = join(base, 'etc/deep/a.conf');
    expect(filesOf(null).missing(path)).toEqual([join(base, 'etc'), join(base, 'etc/deep')]);
    writeWhole(path, 'one\n', 0o644);
    writeFileSync(`${path}.sconce-new`, 'half');
    writeWhole(path, 'two\n', 0o755);
    expect(filesOf(null).read(path)).toEqual({ text: 'two\n', mode: 0o755 });
    expect(readdirSync(join(base, 'etc/deep'))).toEqual(['a.conf']);
  });

  it.skipIf(process.getuid?.() !== 0)("in a home has its owner's rights and no more (skipped: needs root)", () => {
    const nobody = { name: 'nobody', uid: 65_534, gid: 65_534, home: join(base, 'home') };
    mkdirSync(join(base, 'roots'), { mode: 0o755 });
    writeFileSync(join(base, 'roots/secret'), 'kept', { mode: 0o600 });
    mkdirSync(nobody.home, { mode: 0o777 });
    // Others must be able to pass through the folder of this test.
    chmodSync(base, 0o755);
    chmodSync(nobody.home, 0o777);
    symlinkSync(join(base, 'roots'), join(nobody.home, '.config'));
    const files = filesOf(nobody);
    expect(() => files.write(join(nobody.home, '.config/unit'), 'x', 0o644)).toThrow('not done');
    expect(files.read(join(nobody.home, '.config/secret'))).toBeNull();
    const own = join(nobody.home, 'a/b/unit');
    expect(files.missing(own)).toEqual([join(nobody.home, 'a'), join(nobody.home, 'a/b')]);
    files.write(own, 'text\n', 0o644);
    expect(statSync(own).uid).toBe(65_534);
    expect(files.read(own)).toEqual({ text: 'text\n', mode: 0o644 });
    files.remove(own);
    files.removeEmpty(join(nobody.home, 'a/b'));
    expect(files.missing(own)).toEqual([join(nobody.home, 'a/b')]);
  });
});
