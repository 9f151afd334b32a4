import { describe, expect, it } from 'vitest';

import type { StoredEntry } from '#machines/live-log/events.ts';
import { entryText, newestWithin } from '#machines/live-log/text.ts';

const at = Date.UTC(2026, 10, 23, 11, 12, 13, 14);
const line = (more: Partial<Extract<StoredEntry, { kind: 'line' }>> = {}): StoredEntry => ({
  kind: 'line',
  at,
  level: 'warn',
  part: '',
  text: 'The broker does not answer.',
  facts: '',
  ...more,
});

describe('an entry as text', () => {
  it.each<[StoredEntry, string]>([
    [line(), 'warn  The broker does not answer.'],
    [line({ level: 'error', part: 'mqtt', facts: 'code=1' }), 'error mqtt: The broker does not answer. code=1'],
    [line({ text: 'one\ntwo\r\n\u2028three\u001B[2J' }), 'warn  one two three [2J'],
    [{ kind: 'started', at, before: null }, '----- Sconce started here.'],
    [{ kind: 'started', at, before: 'killed' }, '----- Sconce started here: the previous run was killed.'],
    [{ kind: 'left_out', at, count: 1 }, '----- 1 line left out here: they came too fast.'],
    [{ kind: 'left_out', at, count: 7 }, '----- 7 lines left out here: they came too fast.'],
  ])('%j', (entry, text) => {
    expect(entryText(entry)).toBe(`2026-11-23T11:12:13.014Z ${text}`);
  });
});

describe('the newest within a bound', () => {
  const entries = ['a', 'b', 'c'].map((text) => line({ text }));
  const textOf = (entry: StoredEntry): string => (entry.kind === 'line' ? entry.text : '');
  it.each([
    [6, 'abc'],
    [5, 'bc'],
    [2, 'c'],
    [1, ''],
  ])('%d bytes: %s', (bytes, wanted) => {
    expect(newestWithin(entries, textOf, bytes).map(textOf).join('')).toBe(wanted);
  });
  it('counts bytes', () => {
    expect(newestWithin([line()], () => '€', 3)).toEqual([]);
    expect(newestWithin([line()], () => '€', 4)).toHaveLength(1);
  });
});
