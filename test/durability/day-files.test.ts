import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { utcDay } from '#drivers/kit/day-files.ts';
import { amount } from '#test/fakes/amount.ts';
import { numberedRows, ROWS } from './day-rows.ts';
import { canMount, tell } from './own-mounts.ts';

let folder = '';
let script = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sconce-day-kill-'));
  script = join(folder, 'day-writer.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('day-writer.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile: script,
    logLevel: 'warning',
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** One life of the writer: killed `afterMs` after its first append; resolves to its whole lines. */
const oneLife = (data: string, afterMs: number): Promise<readonly string[]> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, data], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    let timer: NodeJS.Timeout | undefined;
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      if (timer === undefined && text.includes('acknowledged'))
        timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
    });
    child.on('error', reject);
    child.on('close', (_, signal) => {
      clearTimeout(timer);
      if (signal === 'SIGKILL') resolve(text.split('\n').slice(0, -1));
      else reject(new Error('the writer ended by itself'));
    });
  });

const numberIn = (line: string | undefined): number => Number(line?.split(' ')[1] ?? 0);
const kills = amount(5, 100);

describe('a process that is killed while it appends to files of days', () => {
  it('leaves every acknowledged row once, and the next goes on', async () => {
    const data = join(folder, 'killed');
    const counted = { lives: 0, refused: 0, lost: 0, twice: 0, notFound: 0 };
    const acknowledged = new Set<number>();
    let highest = 0;
    for (let life = 0; life < kills; life += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one life after another
      const lines = await oneLife(data, Math.random() * 12);
      // oxlint-disable-next-line no-await-in-loop -- as above
      const found = await numberedRows(data).read();
      counted.lives += 1;
      counted.refused += lines.filter((line) => line.startsWith('refused')).length;
      // A start finds what the death before it left: nothing else changed it.
      if (numberIn(lines[0]) !== highest) counted.notFound += 1;
      for (const last of lines.slice(1).map(numberIn))
        for (let n = last - ROWS + 1; n <= last; n += 1) acknowledged.add(n);
      const unique = new Set(found);
      counted.lost += [...acknowledged].filter((n) => !unique.has(n)).length;
      counted.twice += found.length - unique.size;
      highest = Math.max(0, ...found);
      // A power cut leaves half a line, which a kill seldom does.
      const [name = ''] = readdirSync(data).toReversed();
      if (life % 2 === 0) appendFileSync(join(data, name), `[${highest + 1000},"`);
    }
    expect(counted).toEqual({ lives: kills, refused: 0, lost: 0, twice: 0, notFound: 0 });
    expect(acknowledged.size).toBeGreaterThanOrEqual(kills * ROWS);
    expect(readdirSync(data)).toContain(`${utcDay(Date.now())}.jsonl`);
  }, 300_000);
});

describe.skipIf(!canMount)(
  `rows on a full disk${canMount ? '' : ' (skipped: mounting in a namespace of its own needs root)'}`,
  () => {
    const sums = 'sha256sum $data/* | sort';

    it('are refused as a whole, and appended again when there is space', () => {
      const mount = join(folder, 'small');
      mkdirSync(mount);
      const story = [
        `node=${process.execPath}; data=${mount}/data`,
        `$node ${script} $data 2 700`,
        `cat /dev/zero > ${mount}/filler 2>/dev/null || true`,
        `before=$(${sums})`,
        `$node ${script} $data 2 700`,
        `[ "$before" = "$(${sums})" ] && echo unchanged`,
        `rm ${mount}/filler`,
        `$node ${script} $data 1 700`,
        `$node ${script} $data 1 700`,
      ].join('\n');
      expect(tell(mount, 'size=96k', story)).toEqual([
        'found 0',
        'acknowledged 10',
        'acknowledged 20',
        'found 20',
        'refused ENOSPC',
        'refused ENOSPC',
        'unchanged',
        'found 20',
        'acknowledged 30',
        'found 30',
        'acknowledged 40',
      ]);
    });

    it('are read from a read-only file system, and refused', () => {
      const mount = join(folder, 'read-only');
      mkdirSync(mount);
      const story = [
        `${process.execPath} ${script} ${mount}/data 1`,
        `mount -o remount,ro ${mount}`,
        `${process.execPath} ${script} ${mount}/data 1`,
        `mount -o remount,rw ${mount}`,
        `${process.execPath} ${script} ${mount}/data 1`,
      ].join('\n');
      expect(tell(mount, 'size=1m', story)).toEqual([
        'found 0',
        'acknowledged 10',
        'found 10',
        'refused EROFS',
        'found 10',
        'acknowledged 20',
      ]);
    });
  },
);
