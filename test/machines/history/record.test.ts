import { describe, expect, it } from 'vitest';
import { mostEntries, type NewHistoryEntry, type HistoryEntry } from '#machines/history/events.ts';
import { joinRecord, note, openingOf, recallEntries } from '#machines/history/record.ts';

const entry = (at: number, kind: HistoryEntry['kind'], code: string, by: string | null = null): NewHistoryEntry => ({
  at,
  kind,
  by,
  code,
});
const kept = (...all: readonly NewHistoryEntry[]): readonly HistoryEntry[] =>
  all.reduce<readonly HistoryEntry[]>(note, []);
const MINUTE = 60_000;

describe('the record', () => {
  it('notes each switch of the screen, and the same news told again not at all', () => {
    const record = kept(
      entry(1, 'screen', 'on', 'http'),
      entry(2, 'screen', 'off', 'http'),
      entry(3, 'screen', 'on', 'http'),
      entry(3, 'screen', 'on', 'http'),
    );
    expect(record.map(({ at, code, times }) => [at, code, times])).toEqual([
      [1, 'on', 1],
      [2, 'off', 1],
      [3, 'on', 1],
    ]);
  });

  it('gathers what repeats within the hour, and begins anew after it', () => {
    const record = kept(
      entry(0, 'broker', 'connected'),
      entry(1, 'broker', 'lost'),
      entry(2, 'broker', 'connected'),
      entry(3, 'broker', 'lost'),
      entry(3 + 61 * MINUTE, 'broker', 'lost'),
    );
    expect(record.map(({ at, code, times }) => [at, code, times])).toEqual([
      [2, 'connected', 2],
      [3, 'lost', 2],
      [3 + 61 * MINUTE, 'lost', 1],
    ]);
  });

  it('keeps parts apart', () => {
    expect(
      kept(entry(1, 'part', 'crashed', 'screen'), entry(2, 'part', 'crashed', 'mqtt')).map(({ by, times }) => [
        by,
        times,
      ]),
    ).toEqual([
      ['screen', 1],
      ['mqtt', 1],
    ]);
  });

  it('is bounded, in all and per kind, so that a restless screen does not push out the one reboot', () => {
    let record = kept(entry(0, 'reboot', 'begun', 'http'));
    for (let at = 1; at <= 2000; at += 1)
      record = note(record, entry(at, 'screen', at % 2 === 0 ? 'on' : 'off', 'http'));
    expect([record.length, record[0]?.kind, record.at(-1)?.at]).toEqual([251, 'reboot', 2000]);
    for (let at = 1; at <= 2000; at += 1) record = note(record, entry(5000 + at, 'configuration', `key_${at}`));
    for (let at = 1; at <= 2000; at += 1) record = note(record, entry(9000 + at, 'agent', `x${at}`));
    expect(record).toHaveLength(mostEntries);
  });

  it('keeps what a number, a switch or a choice was, never a text that somebody entered', () => {
    const changes = [
      { key: 'volume_limit_percent', from: 30, to: 50 },
      { key: 'log_level', from: 'info', to: 'debug' },
      { key: 'mqtt_user', from: '', to: 'hunter2' },
      { key: 'mqtt_password', from: 'a', to: 'hunter2' },
      { key: 'ha_oauth', from: 'a', to: 'hunter2' },
      { key: 'gone_by_now', from: 'a', to: 'hunter2' },
      { key: 'ha_expose_screen', from: true, to: false },
    ];
    const record = kept({ ...entry(1, 'configuration', 'x'), changes });
    expect(record[0]?.changes?.map(({ key }) => key)).toEqual([
      'volume_limit_percent',
      'log_level',
      'ha_expose_screen',
    ]);
    expect(recallEntries({ version: 1, entries: record })).toEqual(record);
    expect(JSON.stringify(recallEntries({ version: 1, entries: [{ ...record[0], changes }] }))).not.toContain(
      'hunter2',
    );
    expect(kept({ ...entry(1, 'configuration', 'x'), changes: changes.slice(2, 6) })[0]).not.toHaveProperty('changes');
  });

  it('bounds a code', () => {
    expect(kept(entry(1, 'configuration', 'k'.repeat(5000)))[0]?.code).toHaveLength(200);
  });
});

describe('how a run began', () => {
  it.each([
    ['nothing was stored', [], 'first-start'],
    [
      'it was stopped in order',
      kept(entry(1, 'agent', 'started'), entry(2, 'agent', 'stopped'), entry(3, 'part', 'cut', 'x')),
      'started',
    ],
    ['it was cut off', kept(entry(1, 'agent', 'started'), entry(2, 'screen', 'on', 'http')), 'started-after-cut'],
  ])('is told when %s', (_, stored, code) => {
    expect(openingOf(stored, 100)).toMatchObject({ at: 100, kind: 'agent', code });
  });

  it('is not told twice when only the part was restarted', () => {
    expect(openingOf(kept(entry(100, 'agent', 'started')), 100)).toBeNull();
  });

  it('stands between what earlier runs left and what has happened since', () => {
    const joined = joinRecord(kept(entry(1, 'agent', 'stopped')), kept(entry(200, 'screen', 'on', 'http')), 100);
    expect(joined.map(({ at }) => at)).toEqual([1, 100, 200]);
  });
});

describe('a stored record', () => {
  it.each([null, undefined, 'text', {}, { version: 2, entries: [] }, { version: 1 }, { version: 1, entries: {} }])(
    'that is none (%j) is empty',
    (section) => {
      expect(recallEntries(section)).toEqual([]);
    },
  );

  it('leaves out what it does not know, and keeps the rest', () => {
    const good = { at: 1, kind: 'screen', by: 'http', code: 'on', times: 1 };
    expect(
      recallEntries({
        version: 1,
        entries: [good, { ...good, kind: 'later' }, { ...good, at: '1' }, null, { ...good, at: 2, more: 'x' }],
      }),
    ).toEqual([good, { ...good, at: 2 }]);
  });
});
