import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { scriptsOf, writePack } from '../../bin/pack.mjs';

describe('the scripts of a pack', () => {
  const outputs = {
    'a.js': { entryPoint: 'bin/a.ts', imports: [{ path: 'c.js', kind: 'import-statement' }] },
    'b.js': { entryPoint: 'bin/b.ts', imports: [{ path: 'c.js', kind: 'import-statement' }] },
    'c.js': { imports: [] },
  };

  it('hold what their entries need, the first list first', () => {
    expect(scriptsOf(outputs, { core: ['bin/b.ts'] })).toEqual([
      { name: 'bin-a', chunks: ['a.js'] },
      { name: 'core', chunks: ['b.js', 'c.js'] },
    ]);
  });

  it('are named by entries that there are', () => {
    expect(() => scriptsOf(outputs, { core: ['bin/b.ts', 'bin/gone.ts'] })).toThrow('bin/gone.ts');
  });
});

describe('the launcher', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-pack-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('hands out no chunk whose evaluation failed', () => {
    copyFileSync(fileURLToPath(new URL('../../bin/launcher.cjs', import.meta.url)), join(folder, 'sconce.cjs'));
    const bad = "function (exports) { exports.half = true; throw new Error('broken'); }";
    const main = `function (exports, require) {
      for (const round of [1, 2])
        try { console.log(round, require('./bad.js').half); } catch (error) { console.log(round, error.message); }
    }`;
    const text = Buffer.from(`({ "./main.js": ${main}, "./bad.js": ${bad} })`);
    writePack(join(folder, 'agent.pack'), {
      entry: './main.js',
      scripts: [{ name: 'all.js', chunks: ['./main.js', './bad.js'], text }],
    });
    const said = execFileSync(process.execPath, [join(folder, 'sconce.cjs')], { encoding: 'utf8' });
    expect(said).toBe('1 broken\n2 broken\n');
  });
});
