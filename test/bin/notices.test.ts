import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type Bundled, bundledPackages, noticesOf } from '#bin/notices/notices.mjs';

const inputs = (...paths: readonly string[]): Bundled => ({
  outputs: { 'out.js': { inputs: Object.fromEntries(paths.map((path) => [path, { bytesInOutput: 9 }])) } },
});

describe('the packages in a bundle', () => {
  it('are those of which something was written, wherever they are installed', () => {
    const first = inputs('bin/main.ts', 'node_modules/b/lib/x.js', 'node_modules/b/y.js', 'node_modules/@s/a/i.js');
    const second = inputs('node_modules/c/node_modules/@s/d/x.js', '../up/node_modules/e/x.js', 'node_modules/b/z.js');
    expect(bundledPackages([first, second])).toEqual([
      '../up/node_modules/e',
      'node_modules/@s/a',
      'node_modules/b',
      'node_modules/c/node_modules/@s/d',
    ]);
    expect(bundledPackages([{ outputs: { x: { inputs: { 'node_modules/f/x.js': { bytesInOutput: 0 } } } } }])).toEqual(
      [],
    );
  });
});

describe('the notices', () => {
  let root: string;
  beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'sconce-notices-'))));
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const add = (name: string, license: unknown, files: Readonly<Record<string, string>> = {}): string => {
    const folder = join('node_modules', name);
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, 'package.json'), JSON.stringify({ name, version: '1.2.3', license }));
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(join(root, folder, file, '..'), { recursive: true });
      writeFileSync(join(root, folder, file), text);
    }
    return folder;
  };

  it('have each text once, under all packages that have it', () => {
    const text = noticesOf(root, [
      add('a', 'MIT', { LICENSE: 'The same\r\ntext' }),
      add('b', 'ISC', { 'license.md': 'Another', NOTICE: 'And thanks to c', 'licenses.js': 'code' }),
      add('c', 'MIT', { 'LICENCE.txt': 'The same\ntext\n' }),
    ]);
    expect(text).toContain('a 1.2.3 (MIT)\nc 1.2.3 (MIT)\n');
    expect(text.split('The same\ntext')).toHaveLength(2);
    expect(text).toContain('And thanks to c\n\nAnother');
    expect(text).not.toContain('code');
  });

  it('have what native code was compiled with, and the terms that a package only links to', () => {
    const native = noticesOf(root, [add('a', 'MIT', { LICENSE: 'Own', 'vendor/headers/LICENSE': 'Of the headers' })]);
    expect(native).toContain('Own\n\nOf the headers');
    const linked = noticesOf(root, [add('b', 'Apache-2.0', { LICENSE: 'See apache.org' })]);
    expect(linked).toMatch(/See apache\.org[^]+TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION/);
    const whole = 'TERMS AND CONDITIONS FOR USE, and so on';
    expect(noticesOf(root, [add('c', 'Apache-2.0', { LICENSE: whole })]).split('TERMS AND')).toHaveLength(2);
  });

  it.each([
    ['brings no text', 'MIT', {}, 'x 1.2.3 brings no text of its licence'],
    ['asks for too much', 'GPL-3.0-only', { LICENSE: 'text' }, 'x 1.2.3 has the licence "GPL-3.0-only"'],
    ['may ask for too much', '(MIT OR WTFPL)', { LICENSE: 'text' }, 'x 1.2.3 has the licence "(MIT OR WTFPL)"'],
    ['does not say', undefined, { LICENSE: 'text' }, 'x 1.2.3 has the licence undefined'],
    ['says it in a form of its own', { type: 'MIT' }, { LICENSE: 'text' }, 'x 1.2.3 has the licence {"type":"MIT"}'],
    ['keeps its rights', 'UNLICENSED', { LICENSE: 'text' }, 'x 1.2.3 has the licence "UNLICENSED"'],
  ])('fail, and with them the build, where a package %s', (_, license, files, why) => {
    const folders = [add('fine', 'MIT', { LICENSE: 'text' }), add('x', license, files)];
    expect(() => noticesOf(root, folders)).toThrow(`cannot be passed on: ${why}`);
  });
});

describe('the build', () => {
  const built = (file: string): string => readFileSync(new URL(`../../dist/${file}`, import.meta.url), 'utf8');
  const root = fileURLToPath(new URL('../..', import.meta.url));

  it('brings our licence, and the notices of every package of every bundle', () => {
    expect(built('LICENSE')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'));
    expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).toMatchObject({ license: 'MIT' });
    const titles = new Set(built('NOTICES.txt').match(/^\S+ \d\S* \([\w.-]+\)$/gm));
    const titleOf = (folder: string): string => {
      const found = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Record<string, string>;
      return `${found['name']} ${found['version']} (${found['license']})`;
    };
    // The agent's own bundle by its metafile; one package of each of the others, and the one beside them.
    const agent = bundledPackages([JSON.parse(built('meta.json')) as Bundled]);
    expect(agent.length).toBeGreaterThan(40);
    const others = [
      '@homebridge/ciao',
      '@codemirror/view',
      '@lezer/yaml',
      'js-yaml',
      'yazl',
      'yauzl',
      '@mdi/js',
      'koffi',
    ];
    for (const folder of [...agent, ...others.map((name) => `node_modules/${name}`)])
      expect(titles).toContain(titleOf(folder));
    expect(titles).not.toContain(titleOf('node_modules/vitest'));
  });
});
