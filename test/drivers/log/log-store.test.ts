import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { openLogStore, type LogStore } from '#drivers/log/log-store.ts';
import { createLogger } from '#drivers/log/logger.ts';
import type { LogFileRules, LogFilesCommand, LogFilesFact } from '#machines/log-files/events.ts';
import { logFileRules } from '#machines/log-files/rules.ts';
import type { StoredEntry } from '#machines/live-log/events.ts';
import { until } from '#test/scenarios/live-agent.ts';

import { isFact, runDriver } from '../run-driver.ts';

const boot = 'aaaaaaaa';
/** The rules of a panel in a hurry. */
const quick: LogFileRules = { ...logFileRules, waitFor: () => 5, retryMs: 30 };

let folder = '';
let ends: (() => Promise<void>)[] = [];
const path = (name = 'agent.log'): string => join(folder, name);
/** What a file holds; '' where there is none, a pipe, for whose writer reading would wait, or far too much. */
function textOf(name?: string): string {
  const facts = statSync(path(name), { throwIfNoEntry: false });
  if (facts?.isFile() !== true || facts.size >= 1e7) return '';
  try {
    return readFileSync(path(name), 'utf8');
  } catch {
    // It was rotated in between.
    return '';
  }
}
const short = (entries: readonly StoredEntry[]): readonly string[] =>
  entries.map((entry) =>
    entry.kind === 'line' ? entry.text : entry.kind === 'started' ? `> ${entry.before}` : `+${entry.count}`,
  );

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'sconce-kept-log-')), 'data');
  mkdirSync(folder, { mode: 0o700 });
  ends = [];
});
afterEach(async () => {
  for (const stop of ends) await stop();
  rmSync(join(folder, '..'), { recursive: true, force: true });
});

/** A run of an agent that logs and keeps it; `started` once it has read what is there. */
async function begin(rules: LogFileRules = quick, mark: string | null = boot) {
  const log = createLogger({ level: 'debug', secretKeys: ['mqtt_password'], human: false, write: () => {} });
  const keeper = openLogStore({ folder, tail: log.tail, rules, boot: mark, now: Date.now });
  const start = () => {
    const driver = runDriver<LogFilesCommand, LogFilesFact>(keeper.driver);
    const stop = async (): Promise<void> => {
      driver.stop();
      await driver.settled();
    };
    ends.push(stop);
    return { ...driver, stop };
  };
  const driver = start();
  const holds = (words: string): Promise<unknown> => until(words, () => textOf().includes(words));
  log.info('begun');
  if (rules === quick) await until('the first line', () => textOf().includes(log.tail.run) || driver.facts.length > 0);
  const kept = (): readonly string[] => short(log.tail.kept());
  return { log, keeper, driver, start, holds, kept };
}
/** Ends a run as the process does. */
async function end({ driver, keeper }: { readonly driver: { stop: () => Promise<void> }; readonly keeper: LogStore }) {
  await driver.stop();
  keeper.close();
  keeper.close();
}

describe('the log on the disk', () => {
  it('is there at the next start, with how the run ended', async () => {
    const first = await begin();
    first.log.info('The broker is connected.', { phase: 'connected', failure: null });
    await first.holds('The broker is connected.');
    first.log.debug('the last');
    await end(first);
    const second = await begin();
    expect(second.kept()).toEqual(['> null', 'begun', 'The broker is connected.', 'the last', '> stopped', 'begun']);
    expect(second.log.tail.start().before).toBe('stopped');
    expect(second.log.tail.kept()[2]).toMatchObject({ level: 'info', facts: 'phase=connected' });
    expect([statSync(path()).mode & 0o777, readdirSync(folder)]).toEqual([0o600, ['agent.log']]);
  });

  it.each([
    ['was killed', boot, 'killed'],
    ['went down with the machine', 'bbbbbbbb', 'power'],
    ['ended, and nothing is known of the machine', null, 'killed'],
  ])('says that a run %s', async (_, mark, before) => {
    await begin();
    expect((await begin(quick, mark)).kept()).toEqual(['> null', 'begun', `> ${before}`, 'begun']);
  });

  it('has the last line before a crash, also where no driver has started yet', async () => {
    const log = createLogger({ level: 'info', secretKeys: [], human: false, write: () => {} });
    const keeper = openLogStore({ folder, tail: log.tail, rules: quick, boot, now: Date.now });
    log.fatal('The agent crashed: nothing caught this failure.', { failure: new TypeError('secret') });
    keeper.close();
    expect(textOf()).not.toContain('secret');
    const { kept } = await begin();
    expect(kept()).toEqual(['> null', 'The agent crashed: nothing caught this failure.', '> crashed', 'begun']);
  });

  it('holds no secret, address or identifier', async () => {
    const { log, holds } = await begin();
    log.protect('hunter2-known');
    log.warn('Dialling mqtt://me:hunter2-a@broker.example:1883 with hunter2-known', {
      mqtt_password: 'hunter2-b',
      deep: { list: [{ mqtt_password: 'hunter2-c' }] },
      header: 'Bearer hunter2-dddddddd',
      address: '192.168.7.9',
      install: '00112233445566778899aabbccddeeff',
      mac: 'aa:bb:cc:dd:ee:ff',
    });
    log.info('written');
    await holds('written');
    expect(textOf()).toContain('Dialling');
    expect(textOf()).not.toMatch(/hunter2|broker\.example|192\.168|00112233|aa:bb/);
  });

  it('is written in batches, and the rest when the driver ends', async () => {
    const batches: number[] = [];
    const { log, driver } = await begin({
      ...quick,
      waitFor: () => 60_000,
      batch: (run, lines, ...rest) => {
        batches.push(lines.length);
        return logFileRules.batch(run, lines, ...rest);
      },
    });
    for (let index = 0; index < 99; index += 1) log.info(`line ${index}`);
    expect(textOf()).toBe('');
    await driver.stop();
    expect([batches, textOf().trim().split('\n').length]).toEqual([[100], 101]);
  });

  it('goes on where the driver before ended, without a line twice', async () => {
    const { log, driver, start, holds } = await begin();
    log.info('one');
    await holds('one');
    await driver.stop();
    log.info('two');
    start();
    await holds('two');
    expect(textOf().match(/"text":"one"/g)).toHaveLength(1);
    expect(textOf().match(/"start":true/g)).toHaveLength(1);
  });

  it('is two files of bounded size, the newest lines in them', async () => {
    const small: LogFileRules = {
      ...quick,
      fileBytes: 4096,
      rotates: (file, batch) => file.bytes > 0 && file.bytes + batch.bytes > 4096,
    };
    const { log, driver, holds } = await begin(small);
    for (let index = 0; index < 100; index += 1) {
      log.info(`line ${index}.`);
      // oxlint-disable-next-line no-await-in-loop -- one write after another
      await holds(`line ${index}.`);
    }
    await driver.stop();
    const [current, older] = [textOf(), textOf('agent.log.previous')];
    for (const text of [current, older]) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096);
    expect(Buffer.byteLength(older)).toBeGreaterThan(3000);
    expect(statSync(path('agent.log.previous')).mode & 0o777).toBe(0o600);
    const numbers = [...`${older}${current}`.matchAll(/"line (\d+)\."/g)].map((match) => Number(match[1]));
    expect(numbers.at(-1)).toBe(99);
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
    expect((await begin()).kept().slice(0, 2)).toEqual([`line ${numbers[0]}.`, `line ${(numbers[0] ?? 0) + 1}.`]);
  });

  it('counts the lines that came too fast for memory', async () => {
    const { log, keeper, driver } = await begin({ ...quick, waitFor: () => 60_000 });
    for (let index = 0; index < 3000; index += 1) log.warn('x');
    await driver.stop();
    keeper.close();
    const text = `${textOf('agent.log.previous')}${textOf()}`;
    const left = [...text.matchAll(/"left_out":(\d+)/g)].map((match) => Number(match[1]));
    const lines = text.match(/"text":/g)?.length ?? 0;
    expect(left.reduce((sum, count) => sum + count, 0) + lines).toBe(3001);
  });
});

describe('what stands in its way', () => {
  it('is told once, the lines wait in memory, and all of them are there when it is gone', async () => {
    mkdirSync(path());
    const { log, driver, kept, holds } = await begin();
    expect(await driver.until(isFact('log-files.told'))).toEqual({ type: 'log-files.told', failure: 'EISDIR' });
    for (let index = 0; index < 5; index += 1) log.warn(`line ${index}`);
    expect(kept()).toEqual(['> null', 'begun', 'line 0', 'line 1', 'line 2', 'line 3', 'line 4']);
    rmdirSync(path());
    await holds('line 4');
    await driver.until(isFact('log-files.told', ({ failure }) => failure === null));
    expect([driver.facts.length, driver.crashed()]).toEqual([2, undefined]);
    expect(textOf().match(/"text":"(begun|line \d)"/g)).toHaveLength(6);
  });

  it('may be a link, which is not followed', async () => {
    writeFileSync(path('other'), 'untouched');
    symlinkSync('other', path());
    const { driver, keeper } = await begin();
    expect(await driver.until(isFact('log-files.told'))).toMatchObject({ failure: 'ELOOP' });
    keeper.close();
    expect(textOf('other')).toBe('untouched');
  });

  it('may be a pipe, for which nothing waits', async () => {
    spawnSync('mkfifo', [path()]);
    const { driver, keeper } = await begin();
    expect(await driver.until(isFact('log-files.told'))).toMatchObject({ failure: 'ENXIO' });
    keeper.close();
  });

  it('is not half a line or foreign bytes at the end of the file', async () => {
    const first = await begin();
    await end(first);
    appendFileSync(path(), Buffer.from([0x7b, 0x22, 0x00, 0xff, 0xfe, 0x80]));
    const second = await begin();
    second.log.info('second');
    await second.holds('second');
    await end(second);
    expect((await begin()).kept()).toEqual(['> null', 'begun', '> stopped', 'begun', 'second', '> stopped', 'begun']);
  });

  it('is not a file of 1 GB: its end is read, and the rest is cut', async () => {
    const first = await begin();
    await end(first);
    const records = textOf();
    for (const name of ['agent.log', 'agent.log.previous']) {
      writeFileSync(path(name), '');
      truncateSync(path(name), 1_000_000_000);
      appendFileSync(path(name), `\n${records}`);
    }
    const { kept } = await begin();
    expect(kept().slice(0, 2)).toEqual(['> null', 'begun']);
    for (const name of ['agent.log', 'agent.log.previous'])
      expect(statSync(path(name)).size).toBeLessThanOrEqual(logFileRules.fileBytes + 4096);
  });

  it('is not a mode that lets others read', async () => {
    writeFileSync(path(), '');
    chmodSync(path(), 0o644);
    const { log, holds } = await begin();
    log.info('closed');
    await holds('closed');
    expect(statSync(path()).mode & 0o777).toBe(0o600);
  });
});
