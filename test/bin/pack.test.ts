import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { makeScripts, scriptsOf, writePack } from '../../bin/pack.mjs';

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
  const [program, pack] = [join(folder, 'sconce.cjs'), join(folder, 'agent.pack')];
  copyFileSync(fileURLToPath(new URL('../../bin/launcher.cjs', import.meta.url)), program);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Writes a pack of these functions, by the names of their chunks. */
  const write = (chunks: Readonly<Record<string, string>>): void => {
    const rows = Object.entries(chunks).map(([name, body]) => `${JSON.stringify(name)}: ${body}`);
    const text = Buffer.from(`({${rows.join(',')}})`);
    writePack(pack, { entry: './main.js', scripts: [{ name: 'all.js', chunks: Object.keys(chunks), text }] });
  };
  const launch = (...args: readonly string[]) => {
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
    return { status, signal, stdout, stderr };
  };

  it('hands out no chunk whose evaluation failed', () => {
    write({
      './main.js': `function (exports, require) {
        for (const round of [1, 2])
          try { console.log(round, require('./bad.js').half); } catch (error) { console.log(round, error.message); }
      }`,
      './bad.js': "function (exports) { exports.half = true; throw new Error('broken'); }",
    });
    expect(launch().stdout).toBe('1 broken\n2 broken\n');
  });

  it('runs chunks that import each other and Node', async () => {
    const chunk = (path: string, text: string, exports: readonly string[], entryPoint?: string) => ({
      file: { path: `/built/${path}`, text },
      output: [path, { imports: [], exports, ...(entryPoint !== undefined && { entryPoint }) }] as const,
    });
    const chunks = [
      chunk(
        'main.js',
        `import path, { sep } from 'node:path'; import { count, marks, more } from './ABC.js';
         more();
         console.log(path.join('a', 'b') === 'a' + sep + 'b', count, 'œ“ßS'.replace(marks, '_'));
         void import('./ABC.js').then((all) => console.log(Object.keys(all).sort().join()));`,
        [],
        'bin/main.ts',
      ),
      chunk(
        'ABC.js',
        'var count = 1, marks = /[œß“]/g; function more() { count += 1; } export { count, marks, more };',
        ['count', 'marks', 'more'],
        'bin/abc.ts',
      ),
    ];
    const packed = await makeScripts(
      {
        metafile: { outputs: Object.fromEntries(chunks.map(({ output }) => output)) },
        outputFiles: chunks.map(({ file }) => file),
      },
      'bin/main.ts',
      {},
    );
    expect(packed.scripts.filter(({ text }) => text.some((byte) => byte > 127))).toEqual([]);
    writePack(pack, packed);
    expect(launch()).toMatchObject({ stderr: '', stdout: 'true 2 ___S\ncount,marks,more\n' });
  });

  it.each([
    ['misses its last byte', () => truncateSync(pack, statSync(pack).size - 1)],
    ['ends within its index', () => truncateSync(pack, 40)],
    ['ends within the length of that', () => truncateSync(pack, 4)],
    ['is empty', () => truncateSync(pack, 0)],
    ['is not there', () => rmSync(pack)],
  ])('says in a sentence what to do about a pack that %s', (_, damage) => {
    write({ './main.js': "function () { console.log('runs'); }" });
    expect(launch()).toMatchObject({ status: 0, stdout: 'runs\n' });
    damage();
    expect(launch()).toEqual({
      status: 1,
      signal: null,
      stdout: '',
      stderr: `sconce: ${pack} is missing or damaged. Build it again with "npm run build", or install Sconce again.\n`,
    });
  });

  describe.each(['SIGTERM', 'SIGINT'])('asked to stop by %s before the agent obeys it', (signal) => {
    const ask = `process.kill(process.pid, '${signal}'); setInterval(() => {}, 1000);`;

    it('ends a start in order', () => {
      write({ './main.js': `function () { ${ask} }` });
      expect(launch('run')).toEqual({ status: 0, signal: null, stdout: '', stderr: '' });
    });

    it('ends other commands by the signal', () => {
      write({ './main.js': `function () { ${ask} }` });
      expect(launch('install')).toMatchObject({ status: null, signal });
    });

    it('leaves it to the agent once that obeys it', () => {
      write({ './main.js': `function () { process.on('${signal}', () => process.exit(3)); ${ask} }` });
      expect(launch('run')).toMatchObject({ status: 3, signal: null });
    });
  });
});
