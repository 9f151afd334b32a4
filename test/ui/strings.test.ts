import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readWords } from '#bin/build/words.mjs';
import { rows as proximityRows } from '#machines/proximity/entities.ts';
import { descriptorOf } from '#machines/settings.ts';
import { catalogue } from '#ui/strings/catalogue.ts';
import { entryWords } from '#ui/strings/history-words.ts';
import { language, t, tOr } from '#ui/strings/t.ts';
import { ago, clock, exact, seconds } from '#ui/strings/times.ts';

const ui = fileURLToPath(new URL('../../ui', import.meta.url));

const sources = ['.', 'elements', 'pages', 'parts', 'strings'].flatMap((folder) =>
  readdirSync(join(ui, folder))
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(ui, folder, name), 'utf8')),
);
test('every file of strings is joined', () => {
  expect(Object.keys(catalogue).toSorted()).toEqual([...readWords(join(ui, '..')).keys()].toSorted());
});

test('no visible words stand in the components themselves', () => {
  for (const source of sources) {
    const words = [...source.matchAll(/^\s+([A-Z][a-z]+(?: [a-z]+)+[.:]?)\s*$/gm)].map((match) => match[1]);
    expect(words).toEqual([]);
  }
});

test('plurals follow the language', () => {
  expect(t('form.changes', { count: 1 })).toBe('1 unsaved change');
  expect(t('form.changes', { count: 2 })).toBe('2 unsaved changes');
});

test('a code without a word falls back', () => {
  expect(tOr('controls.by.http', 'http')).toBe('a page or program');
  expect(tOr('controls.by.someone', 'someone')).toBe('someone');
  expect(tOr('toString', 'none')).toBe('none');
});

test.each([
  [0, 'just now'],
  [-5_000, 'just now'],
  [42_000, '42 s ago'],
  [185_000, '3 min ago'],
  [7_300_000, '2 h ago'],
  [90_000_000, '1 day ago'],
  [180_000_000, '2 days ago'],
])('%i ms is "%s"', (ms, words) => {
  expect(ago(1_000_000_000_000 - ms, 1_000_000_000_000)).toBe(words);
});

test('a moment is written as the language writes it', () => {
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const day = { day: 'numeric', month: 'short', year: 'numeric' } as const;
  const written = (at: number, options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat(language, options).format(at);
  for (let at = Date.UTC(2026, 0, 1, 0, 0, 9); at < Date.UTC(2027, 0, 1); at += 29 * 3_661_000) {
    expect(clock(at)).toBe(written(at, time));
    expect(seconds(at)).toBe(written(at, { ...time, second: '2-digit' }));
    expect(exact(at)).toBe(written(at, { ...day, ...time, second: '2-digit' }));
  }
});

test.each([
  [0, '0'],
  [-999, '-999'],
  [999, '999'],
  [1000, '1,000'],
  [1234.5, '1,234.5'],
])('%s is written as %s', (count, words) => {
  expect(tOr('form.changes', '', { count })).toContain(words);
});

test.each([
  [{ kind: 'screen', by: 'home-assistant', code: 'off' }, 'The screen was turned off by Home Assistant.'],
  [{ kind: 'screen', by: 'voice', code: 'on' }, 'The screen was turned on by the voice assistant.'],
  [{ kind: 'screen', by: 'robot', code: 'on' }, 'The screen was turned on by robot.'],
  [
    { kind: 'configuration', by: null, code: 'log_level,ha_expose_screen' },
    'Settings were saved: Log level, Screen in Home Assistant.',
  ],
  [
    { kind: 'configuration', by: null, code: 'ha_oauth,gone_by_now,ha_expose_gone,+3' },
    'Settings were saved: Sign-in to Home Assistant, gone_by_now, ha_expose_gone, 3 more.',
  ],
  [
    { kind: 'configuration', by: null, code: 'mqtt_broker,-mqtt_password' },
    'Settings were saved: Address of the broker. The broker’s password was removed.',
  ],
  [
    { kind: 'configuration', by: null, code: '-ha_token,-gone_by_now' },
    'The long-lived access token was removed. gone_by_now was removed.',
  ],
  [
    {
      kind: 'configuration',
      by: null,
      code: 'volume_limit_percent,log_level,mqtt_user,-ha_token,ha_expose_screen',
      changes: [
        { key: 'volume_limit_percent', from: 30, to: 50 },
        { key: 'log_level', from: 'info', to: 'debug' },
        { key: 'ha_expose_screen', from: true, to: false },
      ],
    },
    'Maximum volume: 30 % → 50 %. Log level: Info → Debug. Screen in Home Assistant: on → off. Settings were saved: Broker user name. The long-lived access token was removed.',
  ],
  [{ kind: 'configuration', by: null, code: 'secret' }, 'A password or token was saved.'],
  [{ kind: 'part', by: 'camera', code: 'crashed' }, 'The part Camera failed and was restarted.'],
  [{ kind: 'announcement', by: null, code: 'too-large' }, 'An announcement was not played: too-large.'],
  [{ kind: 'later', by: null, code: 'news' }, 'later: news.'],
])('%j reads as "%s"', (entry, words) => {
  expect(entryWords(entry, descriptorOf)).toBe(words);
});

test('the proximity page says of Home Assistant what the catalogue does with an uncalibrated sensor', () => {
  const source = { name: 'x' };
  const snapshot = {
    value: 'x',
    context: { source, shown: true, absence: null, near: true, level: 5, calibrations: [] },
  };
  const shown = proximityRows.map((row) => row.shown?.(snapshot) ?? true);
  const available = proximityRows.map((row) => row.available(snapshot));
  expect(new Set(available)).toEqual(new Set([false]));
  // Rows that are not shown are not announced; all others are, and are unavailable until the calibration.
  expect(new Set(shown)).toEqual(new Set([true]));
  for (const key of ['proximity.uncalibrated', 'proximity.reset_help'] as const) {
    expect(t(key)).toContain('unavailable in Home Assistant');
    expect(t(key)).not.toMatch(/not appear|nothing of it|does not see/i);
  }
});
