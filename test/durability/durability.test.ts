import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORMAT_STEPS, WRITE_STEPS } from '#drivers/store/adapter.ts';
import { amount, few } from '#test/fakes/amount.ts';
import { bundleWriter, killWhileSaving, numberOnDisk } from './kill.mjs';
import { canMount, tell } from './own-mounts.ts';

let folder = '';
let script = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sconce-durability-'));
  script = await bundleWriter(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A writer that ends by itself or by its own kill. */
const write = (data: string, ...args: readonly string[]): readonly string[] =>
  spawnSync(process.execPath, [script, data, ...args], { encoding: 'utf8', timeout: 15_000 })
    .stdout.split('\n')
    .filter((line) => line !== '');

const hasStrace = spawnSync('strace', ['-V']).status === 0;

const kills = amount(2, 25);
/** The steps of a first write of a next format: those before and after the document changes are alike. */
const nextSteps = amount(['renamed', ...few(FORMAT_STEPS)], [...WRITE_STEPS, ...FORMAT_STEPS]);

describe('a killed process', () => {
  it('loses nothing that was acknowledged (killed at random moments)', async () => {
    const tally = await killWhileSaving(kills);
    expect(tally).toMatchObject({ kills, lost: 0, unreadable: 0, wounded: 0 });
    // Each life is ended after its first acknowledgement; how many more there are is up to the machine.
    expect(tally.acknowledged).toBeGreaterThanOrEqual(kills);
  }, 60_000);

  it.each(WRITE_STEPS)('finds a whole document and a previous one after dying at "%s"', (step) => {
    const data = join(folder, `at-${step}`);
    expect(write(data, '5', step)).toEqual(['loaded 0 empty', 'acknowledged 1']);
    // From the rename on the new document is there, though the write is not reported yet.
    const found = step === 'renamed' || step === 'folder-synced' ? 2 : 1;
    expect(numberOnDisk(data)).toBe(found);
    if (found === 2)
      expect(JSON.parse(readFileSync(join(data, 'state.json.previous'), 'utf8'))).toMatchObject({
        sections: { settings: { number: 1 } },
      });
    expect(write(data, '4')).toEqual([
      `loaded ${found} current`,
      ...Array.from({ length: 4 - found }, (_, n) => `acknowledged ${found + 1 + n}`),
    ]);
  });
});

describe('a process that is killed while it moves a section of an earlier version to its file', () => {
  it.each(['written', 'folder-synced', 'kept'])('at "%s" leaves all of it to the next', (step) => {
    const data = join(folder, `moved-${step}`);
    const panel = { level: 40 };
    mkdirSync(data);
    writeFileSync(
      join(data, 'state.json'),
      JSON.stringify({ version: 1, sections: { settings: { number: 3 }, panel } }),
    );
    expect(write(data, '4', step, '0', 'move')).toEqual([]);
    expect(JSON.parse(readFileSync(join(data, 'state.json'), 'utf8'))).toMatchObject({ sections: { panel } });
    expect(existsSync(join(data, 'sections', 'panel.json'))).toBe(step !== 'written');
    expect(write(data, '4')).toEqual(['loaded 3 current', 'acknowledged 4']);
    expect(JSON.parse(readFileSync(join(data, 'sections', 'panel.json'), 'utf8'))).toEqual({
      version: 1,
      value: panel,
    });
    expect(JSON.parse(readFileSync(join(data, 'state.json'), 'utf8'))).not.toHaveProperty('sections.panel');
  });
});

describe('a process that is killed in its first write of a next format', () => {
  it.each(nextSteps)('at "%s" leaves all to both programs', (step) => {
    const data = join(folder, `next-${step}`);
    expect(write(data, '3').at(-1)).toBe('acknowledged 3');
    expect(write(data, '9', step, '2000', 'next')).toEqual(['loaded 3 current']);
    const isNew = step === 'renamed' || step === 'folder-synced';
    const back = join(folder, `back-${step}`);
    cpSync(data, back, { recursive: true });
    // The earlier program has its own state, and keeps the newer one.
    expect(write(back, '4')).toEqual([`loaded 3 ${isNew ? 'copy' : 'current'}`, 'acknowledged 4']);
    expect(existsSync(join(back, 'state.json.v2'))).toBe(isNew);
    // The next one goes on where it was, and has kept the earlier one.
    const found = isNew ? 4 : 3;
    expect(write(data, '5', '-', '0', 'next')).toEqual([
      `loaded ${found} current`,
      ...Array.from({ length: 5 - found }, (_, n) => `acknowledged ${found + 1 + n}`),
    ]);
    expect(numberOnDisk(data, 'state.json.v1')).toBe(3);
    // What the earlier program saved meanwhile counts for the next.
    expect(write(back, '5', '-', '0', 'next')).toEqual(['loaded 4 current', 'acknowledged 5']);
  });
});

describe.skipIf(!hasStrace)(`the order of a write${hasStrace ? '' : ' (skipped: strace is not installed)'}`, () => {
  it('is fsync of the file, rename, fsync of the folder, acknowledgement', () => {
    const data = join(folder, 'traced');
    const log = join(folder, 'trace.log');
    const calls = 'trace=openat,write,writev,pwrite64,fsync,fdatasync,rename,renameat,renameat2';
    const run = spawnSync(
      'strace',
      ['-f', '-y', '-s', '64', '-e', calls, '-o', log, process.execPath, script, data, '3'],
      { encoding: 'utf8', timeout: 18_000 },
    );
    expect(run.stdout).toContain('acknowledged 3');
    const kinds: string[] = [];
    for (const line of readFileSync(log, 'utf8').split('\n')) {
      // Resumed halves of interrupted lines end a call; the first half carries the names, and a call that ended is what
      // counts.
      if (/\bf(data)?sync\(\d+<[^>]*state\.json\.next>/.test(line)) kinds.push('file');
      else if (/\brename(at2?)?\(.*state\.json\.next.*state\.json"/.test(line)) kinds.push('rename');
      else if (/\bf(data)?sync\(\d+<[^>]*traced>/.test(line)) kinds.push('folder');
      else if (line.includes('"acknowledged')) kinds.push('acknowledged');
    }
    expect(kinds).toEqual(Array.from({ length: 3 }, () => ['file', 'rename', 'folder', 'acknowledged']).flat());
  });
});

describe.skipIf(!canMount)(
  `a full disk${canMount ? '' : ' (skipped: mounting in a namespace of its own needs root)'}`,
  () => {
    it('refuses the save, keeps everything, and saves again when there is space', () => {
      const mount = join(folder, 'small');
      mkdirSync(mount);
      const story = [
        `node=${process.execPath}; data=${mount}/data`,
        `$node ${script} $data 1 - 8000`,
        `cat /dev/zero > ${mount}/filler 2>/dev/null || true`,
        `before=$(sha256sum < $data/state.json); files=$(ls -A $data)`,
        `$node ${script} $data 2 - 8000`,
        `[ "$before" = "$(sha256sum < $data/state.json)" ] && echo unchanged`,
        `[ "$files" = "$(ls -A $data)" ] && echo same files`,
        `rm ${mount}/filler`,
        `$node ${script} $data 2 - 8000`,
      ].join('\n');
      expect(tell(mount, 'size=64k', story)).toEqual([
        'loaded 0 empty',
        'acknowledged 1',
        'loaded 1 current',
        'refused 2 ENOSPC',
        'unchanged',
        'same files',
        'loaded 1 current',
        'acknowledged 2',
      ]);
    });

    it('refuses the save on a read-only file system, and still starts', () => {
      const mount = join(folder, 'read-only');
      mkdirSync(mount);
      const story = [
        `${process.execPath} ${script} ${mount}/data 1`,
        `mount -o remount,ro ${mount}`,
        `${process.execPath} ${script} ${mount}/data 2`,
        `mount -o remount,rw ${mount}`,
        `${process.execPath} ${script} ${mount}/data 2`,
      ].join('\n');
      expect(tell(mount, 'size=1m', story)).toEqual([
        'loaded 0 empty',
        'acknowledged 1',
        'loaded 1 current',
        'refused 2 EROFS',
        'loaded 1 current',
        'acknowledged 2',
      ]);
    });
  },
);
