import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type MinuteStore, minuteFiles } from '#drivers/auto-brightness/minute-files.ts';
import { utcDay } from '#drivers/kit/day-files.ts';
import type { LightMinute } from '#machines/auto-brightness/events.ts';

type Key = Parameters<MinuteStore['open']>[0];

const MINUTE_MS = 60_000;
const DAY = 1440;
let folder = '';
let now = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sconce-light-'));
  // Near the clock of the file system, which dates the folders.
  now = Date.now();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const store = (): MinuteStore => minuteFiles({ folder, now: () => now });
const today = (): string => `${utcDay(now)}.jsonl`;
const thisMinute = (): number => Math.floor(now / MINUTE_MS);
const panel: Key = { source: { kind: 'panel' }, origin: null, place: null };
const berlin = { latitude: 52.5, longitude: 13.4, timeZone: 'Europe/Berlin' };
const entity = (entityId: string, more: Partial<Key> = {}): Key => ({
  source: { kind: 'home_assistant', entityId },
  origin: 'http://home.example:8123',
  place: berlin,
  ...more,
});

/** A minute as a sensor with two digits after the point gives it every 2 s. */
function minuteAt(minute: number, lux = 123.456): LightMinute {
  return {
    minute,
    luxMs: lux * 59_874.25,
    coveredMs: 59_874.25,
    min: lux * 0.93,
    max: lux * 1.08,
    last: lux * 1.01,
    samples: 30,
    baselineLogMs: Math.log1p(lux) * 54_321.5,
    baselineMs: 54_321.5,
  };
}
const folders = (): readonly string[] =>
  existsSync(join(folder, 'light')) ? readdirSync(join(folder, 'light')).toSorted() : [];
async function keep(key: Key, lux = 1): Promise<string> {
  const before = folders();
  expect(await (await store().open(key)).append([minuteAt(thisMinute(), lux)])).toBeNull();
  return folders().find((name) => !before.includes(name)) ?? '';
}

describe('the minutes of a source and place', () => {
  it('come back to a hundredth of a lux', async () => {
    const [row, low, high] = [
      minuteAt(thisMinute()),
      minuteAt(thisMinute() - DAY, 0),
      minuteAt(thisMinute() + 1, 92_000),
    ];
    const files = await store().open(panel);
    expect(await files.append([row, low, high])).toBeNull();
    const found = await (await store().open(panel)).read();
    expect(found.map(({ minute }) => minute)).toEqual([low, row, high].map(({ minute }) => minute));
    for (const [index, one] of [low, row, high].entries())
      for (const [name, value] of Object.entries(one)) {
        const near = name === 'min' || name === 'max' || name === 'last' ? 0.005 : 0.5;
        expect(Math.abs((found[index]?.[name as keyof LightMinute] ?? -1) - value), name).toBeLessThanOrEqual(
          near + 1e-9,
        );
      }
  });

  it('of seven bright days are less than 1 MB, about 60 bytes each', async () => {
    const files = await store().open(panel);
    const all = Array.from({ length: 7 * DAY }, (_, index) =>
      minuteAt(thisMinute() - 7 * DAY + 1 + index, Math.max(0, Math.sin((index / DAY) * 2 * Math.PI)) * 40_000 + 0.37),
    );
    // As they are written: ten minutes at a time.
    for (let at = 0; at < all.length; at += 720)
      // oxlint-disable-next-line no-await-in-loop -- one after another
      expect(await files.append(all.slice(at, at + 720))).toBeNull();
    const [own = ''] = folders();
    const bytes = readdirSync(join(folder, 'light', own)).map(
      (name) => statSync(join(folder, 'light', own, name)).size,
    );
    const sum = bytes.reduce((total, one) => total + one, 0);
    expect(sum / all.length).toBeLessThan(72);
    // A day more is kept, since seven days of the room begin and end within days of UTC.
    expect((sum / 7) * 8).toBeLessThan(1_000_000);
    expect(await files.read()).toHaveLength(all.length);
  });

  it('have a folder that names neither', async () => {
    await keep(entity('sensor.hall_lux'));
    const [own = ''] = folders();
    expect(own).toMatch(/^[0-9a-f]{16}$/);
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).join('\n');
    const text = readFileSync(join(folder, 'light', own, today()), 'utf8');
    expect(`${names}\n${text}`).not.toMatch(/sensor|hall|home|Berlin/);
    expect(text).toMatch(/^\[[\d.,]+\]\n$/);
    expect(
      [folder, join(folder, 'light'), join(folder, 'light', own)].map((one) => statSync(one).mode & 0o077),
    ).toEqual([0, 0, 0]);
  });

  it('are apart for another entity, origin, kind, place or zone', async () => {
    const keys = [
      entity('sensor.a'),
      entity('sensor.b'),
      entity('sensor.a', { origin: 'http://other.example:8123' }),
      entity('sensor.a', { place: null }),
      entity('sensor.a', { place: { ...berlin, latitude: 52.6 } }),
      entity('sensor.a', { place: { ...berlin, longitude: -13.4 } }),
      entity('sensor.a', { place: { ...berlin, timeZone: 'Europe/Oslo' } }),
      { ...panel, place: berlin },
      panel,
    ];
    const made: string[] = [];
    for (const key of keys) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      made.push(await keep(key));
      rmSync(join(folder, 'light'), { recursive: true });
    }
    expect(new Set(made).size).toBe(keys.length);
  });

  it.each([
    ['the same place, not rounded', entity('sensor.a'), entity('sensor.a', { place: { ...berlin, latitude: 52.54 } })],
    [
      'the equator, from either side',
      { ...panel, place: { ...berlin, latitude: 0 } },
      { ...panel, place: { ...berlin, latitude: -0.04 } },
    ],
    ['the panel’s own sensor, whatever Home Assistant', panel, { ...panel, origin: 'http://other.example' }],
  ])('are one history: %s', async (_, one, other) => {
    await keep(one, 5);
    expect(await (await store().open(other)).read()).toMatchObject([{ last: 5.05 }]);
  });
});

describe('a line', () => {
  const good = [29_662_560, 7_230_000, 60_000, 119.5, 121, 120, 30, 287_000, 60_000];
  const readBack = async (line: string): Promise<number> => {
    await keep(panel);
    const [own = ''] = folders();
    writeFileSync(join(folder, 'light', own, today()), `${line}\n`);
    return (await (await store().open(panel)).read()).length;
  };
  const withField = (index: number, value: unknown): string => JSON.stringify(good.with(index, value as number));

  it('of possible numbers is a row', async () => {
    expect(await readBack(JSON.stringify(good))).toBe(1);
  });

  it.each([
    ['a minute before 1970', withField(0, -1)],
    ['half a minute', withField(0, 29_662_560.5)],
    ['a minute after the year 3000', withField(0, 541_714_561)],
    ['more light than there is', withField(1, 6_000_100_001)],
    ['light below zero', withField(1, -1)],
    ['more than a minute', withField(2, 60_001)],
    ['a highest below the last', withField(4, 119.9)],
    ['a lowest above the last', withField(3, 120.1)],
    ['too many lux', withField(4, 100_000.1)],
    ['lux below zero', withField(3, -0.1)],
    ['half a sample', withField(6, 1.5)],
    ['samples without end', withField(6, 1_000_001)],
    ['more logarithm than there is', withField(7, 700_000)],
    ['a logarithm below zero', withField(7, -1)],
    ['more baseline than minute', JSON.stringify(good.with(2, 50_000))],
    ['a text for a number', withField(5, '120')],
    ['nothing for a number', withField(5, null)],
    ['one number less', JSON.stringify(good.slice(0, 8))],
    ['one number more', JSON.stringify([...good, 1])],
    ['no list', JSON.stringify({ minute: 29_662_560, length: 9 })],
    ['a list of lists', JSON.stringify([good])],
    ['infinity', JSON.stringify(good).replace('121', '1e999')],
    ['a long number', JSON.stringify(good).replace('121', `121.${'0'.repeat(120)}`)],
    ['a torn line', JSON.stringify(good).slice(0, -1)],
  ])('with %s is none', async (_, line) => {
    expect(await readBack(line)).toBe(0);
  });
});

describe('folders of sources that are not used', () => {
  const usedAt = (name: string, daysAgo: number): void => {
    const at = new Date(now - daysAgo * 86_400_000);
    utimesSync(join(folder, 'light', name), at, at);
  };
  /** Kept rows of four sources; `a` was used last. */
  const four = async (): Promise<readonly string[]> => {
    const made: string[] = [];
    for (const name of ['a', 'b', 'c', 'd'])
      // oxlint-disable-next-line no-await-in-loop -- one after another
      made.push(await keep(entity(`sensor.${name}`)));
    for (const [index, name] of made.entries()) usedAt(name, index);
    return made;
  };

  it('are at most three beside the one in use; the one not used for longest goes', async () => {
    const [a = '', b = '', c = '', d = ''] = await four();
    // A return to the last one renews it, and nothing goes.
    await store().open(entity('sensor.d'));
    expect(folders()).toEqual([a, b, c, d].toSorted());
    const e = await keep(entity('sensor.e'));
    expect(folders()).toEqual([a, b, d, e].toSorted());
  });

  it('go when all their minutes are too old', async () => {
    const [a = '', b = '', c = '', d = ''] = await four();
    usedAt(b, 8.5);
    usedAt(c, 7.5);
    usedAt(a, 20);
    await store().open(entity('sensor.a'));
    expect(folders()).toEqual([a, c, d].toSorted());
  });

  it('stay with what others put there, and so do other names', async () => {
    const [, , , d = ''] = await four();
    writeFileSync(join(folder, 'light', d, 'notes.txt'), 'x');
    mkdirSync(join(folder, 'light', 'photos'));
    for (const name of [d, 'photos']) usedAt(name, 5);
    writeFileSync(join(folder, 'light', '0123456789abcdef'), 'a file');
    await keep(entity('sensor.e'));
    expect(readdirSync(join(folder, 'light', d))).toEqual(['notes.txt']);
    expect(folders()).toEqual(expect.arrayContaining(['photos', '0123456789abcdef']));
  });

  it('are not made by looking', async () => {
    expect(await (await store().open(panel)).read()).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });
});

it('keeps one queue for a source that is opened again', async () => {
  const one = store();
  const first = await one.open(panel);
  const written = first.append([minuteAt(thisMinute())]);
  const second = await one.open(panel);
  expect(await second.read()).toHaveLength(1);
  expect(await written).toBeNull();
});
