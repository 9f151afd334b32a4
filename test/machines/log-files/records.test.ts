import { describe, expect, it } from 'vitest';

import { endText, leftOutText, lineText, recall, startText } from '#machines/log-files/records.ts';
import type { StoredEntry } from '#machines/live-log/events.ts';

const [one, two, three] = ['00000001', '00000002', '00000003'] as const;
const [boot, other] = ['aaaaaaaa', 'bbbbbbbb'] as const;
const line = (run: string, seq: number): string =>
  lineText(run, { seq, at: seq, level: 'info', part: 'mqtt', text: `${run}/${seq}`, facts: 'a=1' });
const start = (run: string, at = 0, of: string | null = boot): string => startText({ run, at, boot: of });
/** Entries in short: the text of a line, how the run before a start ended, the number of lines that are missing. */
const short = (entries: readonly StoredEntry[]): readonly string[] =>
  entries.map((entry) =>
    entry.kind === 'line' ? entry.text : entry.kind === 'started' ? `> ${entry.before}` : `+${entry.count}`,
  );
function read(...texts: readonly string[]) {
  const { entries, before } = recall(texts, boot);
  return [short(entries), before];
}

describe('what a run finds of earlier ones', () => {
  it('is nothing where nothing is', () => {
    expect(read()).toEqual([[], null]);
    expect(read('', '')).toEqual([[], null]);
  });

  it('is every line as it was, the older file first', () => {
    const { entries } = recall([start(one, 5) + line(one, 1), line(one, 2)], boot);
    expect(entries).toEqual([
      { kind: 'started', at: 5, before: null },
      { kind: 'line', at: 1, level: 'info', part: 'mqtt', text: `${one}/1`, facts: 'a=1' },
      { kind: 'line', at: 2, level: 'info', part: 'mqtt', text: `${one}/2`, facts: 'a=1' },
    ]);
  });

  it.each([
    ['in order', endText(one, 9, 'stopped', 0), boot, 'stopped'],
    ['by a failure of its own', endText(one, 9, 'crashed', 0), boot, 'crashed'],
    ['so, and the machine was restarted since', endText(one, 9, 'stopped', 0), other, 'stopped'],
    ['without a word while the machine went on', '', boot, 'killed'],
    ['together with the machine', '', other, 'power'],
    ['and nothing is known of the machine', '', null, 'killed'],
  ])('says how a run ended: %s', (_, end, next, before) => {
    const text = start(one) + line(one, 1) + end;
    expect(recall([text], next).before).toBe(before);
    const twoRuns = recall([text, start(two, 3, next) + line(two, 1)], boot);
    expect(short(twoRuns.entries)).toEqual(['> null', `${one}/1`, `> ${before}`, `${two}/1`]);
  });

  it('names no start of a run whose beginning was changed over', () => {
    expect(read(line(one, 700), line(one, 701) + start(two) + line(two, 1))).toEqual([
      [`${one}/700`, `${one}/701`, '> killed', `${two}/1`],
      'killed',
    ]);
  });

  it('has a run that died before its first line, and one without its first record', () => {
    expect(read(start(one) + start(two) + endText(two, 1, 'crashed', 0), line(three, 4))).toEqual([
      ['> null', '> killed', '> crashed', `${three}/4`],
      'killed',
    ]);
  });

  it('has each line once, though two writes had it, and says what is missing', () => {
    const twice = line(one, 1) + line(one, 2) + endText(one, 9, 'stopped', 4) + line(one, 1) + line(one, 2);
    expect(read(twice + leftOutText(one, 9, 3))).toEqual([[`${one}/1`, `${one}/2`, '+4', '+3'], 'stopped']);
  });

  it.each([
    ['half a line', line(one, 2).slice(0, 30)],
    ['foreign bytes', '\u0000\uFFFD\u0007'],
    ['another document', '{"run":"00000001","seq":"1"}'],
    ['a record with a field more', line(one, 2).replace('{', '{"x":1,')],
    ['a level that is none', line(one, 2).replace('info', 'loud')],
    ['a run that is none', line('../../etc', 2)],
    ['a time that is none', line(one, 2).replace('"at":2', '"at":9e99')],
    ['words without end', lineText(one, { seq: 2, at: 2, level: 'info', part: '', text: 'x'.repeat(3000), facts: '' })],
    ['a line without end', `"${'x'.repeat(100_000)}"`],
    ['empty lines', '\n\n\n'],
  ])('skips %s', (_, text) => {
    expect(read(`${start(one)}${line(one, 1)}${text}\n${line(one, 3)}`)).toEqual([
      ['> null', `${one}/1`, `${one}/3`],
      'killed',
    ]);
  });
});
