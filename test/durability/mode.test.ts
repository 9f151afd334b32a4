import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMode } from '#drivers/approvals/mode-file.ts';
import { amount } from '#test/fakes/amount.ts';

let folder = '';
let script = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sconce-mode-kill-'));
  script = join(folder, 'mode-writer.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('mode-writer.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile: script,
    logLevel: 'warning',
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function ownData(name: string): string {
  const data = join(folder, name);
  mkdirSync(data);
  return data;
}

/** One life of the writer: killed `afterMs` after it has printed `after`; resolves to its whole lines. */
const oneLife = (data: string, writes: string, after: string, afterMs: number): Promise<readonly string[]> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, data, writes], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    let timer: NodeJS.Timeout | undefined;
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      if (timer === undefined && text.includes(after)) timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
    });
    child.on('error', reject);
    child.on('close', (_, signal) => {
      clearTimeout(timer);
      if (signal === 'SIGKILL') resolve(text.split('\n').slice(0, -1));
      else reject(new Error('the writer ended by itself'));
    });
  });

/** The modes that the disk may have after these lines: that of the last answer, or of a write under way. */
const possible = (lines: readonly string[]): readonly (string | undefined)[] =>
  (lines.at(-1)?.startsWith('asked') ? lines.slice(-2) : lines.slice(-1)).map((line) => line.split(' ')[1]);

const kills = amount(4, 200);

describe('a process that is killed around a switch of the mode', () => {
  it('leaves what was acknowledged, and never reads Hardened as Relaxed', async () => {
    const data = ownData('switched');
    let before: string = 'relaxed';
    const counted = { lives: 0, switches: 0, between: 0, wrong: 0, changed: 0, unreadable: 0 };
    for (let life = 0; life < kills; life += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one life after another
      const lines = await oneLife(data, 'both', 'acknowledged', Math.random() * 8);
      // oxlint-disable-next-line no-await-in-loop -- as above
      const { mode, unreadable } = await readMode(data);
      counted.lives += 1;
      counted.switches += lines.filter((line) => line.startsWith('acknowledged')).length;
      if (possible(lines).length > 1) counted.between += 1;
      // A start finds what the death before it left: nothing else changed it.
      if (lines[0] !== `found ${before}`) counted.changed += 1;
      if (!possible(lines).includes(mode)) counted.wrong += 1;
      if (unreadable || lines.some((line) => line.startsWith('refused'))) counted.unreadable += 1;
      before = mode;
    }
    expect(counted).toMatchObject({ lives: kills, wrong: 0, changed: 0, unreadable: 0 });
    expect(counted.switches).toBeGreaterThanOrEqual(kills);
  }, 300_000);

  it('stays Hardened however often it dies afterwards', async () => {
    const data = ownData('hardened');
    await oneLife(data, 'hardened', 'acknowledged hardened', 0);
    for (let life = 0; life < amount(3, 20); life += 1)
      // oxlint-disable-next-line no-await-in-loop -- one life after another
      expect((await oneLife(data, 'nothing', 'found', 0))[0]).toBe('found hardened');
  });

  it.each([
    ['opened', 'relaxed'],
    ['written', 'relaxed'],
    ['synced', 'relaxed'],
    ['renamed', 'hardened'],
    ['folder-synced', 'hardened'],
  ])('at "%s" of entering, is %s', async (step, mode) => {
    const data = ownData(`entering-${step}`);
    const { stdout, signal } = spawnSync(process.execPath, [script, data, 'hardened', step], { encoding: 'utf8' });
    expect([stdout, signal]).toEqual(['found relaxed\nasked hardened\n', 'SIGKILL']);
    expect(await readMode(data)).toEqual({ mode, unreadable: false });
    // What was cut off is in the way of nothing.
    await oneLife(data, 'hardened', 'acknowledged hardened', 0);
    expect(existsSync(join(data, 'hardened.next'))).toBe(false);
  });
});
