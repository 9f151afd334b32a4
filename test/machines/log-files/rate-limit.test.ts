import { describe, expect, it } from 'vitest';

import type { LogAllowance } from '#machines/log-files/events.ts';
import { batch, begin, fileBytes, fileLines, isUrgent, rotates, waitFor } from '#machines/log-files/rate-limit.ts';
import type { LogLine, LogLineLevel } from '#machines/live-log/events.ts';

const run = '0a1b2c3d';
const lineOf = (seq: number, level: LogLineLevel = 'info', text = `line ${seq}`): LogLine => ({
  seq,
  at: 1000 + seq,
  level,
  part: '',
  text,
  facts: '',
});
const recordsOf = (text: string): readonly Readonly<Record<string, unknown>>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
/** What of the lines was written, and `+n` where so many are said to be missing. */
const said = (text: string): readonly string[] =>
  recordsOf(text).map((record) => ('left_out' in record ? `+${String(record['left_out'])}` : String(record['text'])));
const full = begin(0);
const withBytes = (bytes: number): LogAllowance => ({ ...full, bytes });

describe('how long a line may wait', () => {
  it.each<[LogLineLevel, number, number]>([
    ['trace', 0, 5000],
    ['debug', Number.POSITIVE_INFINITY, 5000],
    ['info', 60_000, 5000],
    ['warn', Number.POSITIVE_INFINITY, 0],
    ['warn', 2000, 0],
    ['warn', 1000, 0],
    ['error', 400, 600],
    ['fatal', 0, 1000],
  ])('of level %s, %d ms after the last write: %d ms', (level, sinceMs, waits) => {
    expect(waitFor(level, sinceMs)).toBe(waits);
    expect(isUrgent(level)).toBe(waits < 5000);
  });
});

describe('a new file', () => {
  it.each([
    ['is not begun for the first batch, however large', 0, 0, 2 * fileBytes, 5000, false],
    ['is not begun while there is room', 1000, 10, 1000, 10, false],
    ['is not begun where the batch just fits', fileBytes - 1000, 10, 1000, 10, false],
    ['is begun where a byte is missing', fileBytes - 999, 10, 1000, 10, true],
    ['is not begun where the lines just fit', 1000, fileLines - 10, 1000, 10, false],
    ['is begun where a line is missing', 1000, fileLines - 9, 1000, 10, true],
    ['is begun after one that is far too large', 1_000_000_000, 0, 10, 1, true],
  ])('%s', (_, bytes, lines, batchBytes, batchLines, wanted) => {
    expect(rotates({ bytes, lines }, { bytes: batchBytes, lines: batchLines })).toBe(wanted);
  });

  it('keeps both files within 512 kB and 2,000 lines', () => {
    expect([2 * fileBytes, 2 * fileLines]).toEqual([524_288, 2000]);
  });
});

describe('a batch', () => {
  it('is whole records of the run in order, and nothing without lines', () => {
    const { text, records } = batch(run, [lineOf(4), lineOf(5, 'warn')], 0, full, 0);
    expect(text.endsWith('\n')).toBe(true);
    expect(recordsOf(text)).toEqual([
      { run, seq: 4, at: 1004, level: 'info', part: '', text: 'line 4', facts: '' },
      { run, seq: 5, at: 1005, level: 'warn', part: '', text: 'line 5', facts: '' },
    ]);
    expect(records).toBe(2);
    expect(batch(run, [], 0, full, 0)).toMatchObject({ text: '', records: 0 });
  });

  it('says before the next line how many were missed, once', () => {
    const first = batch(run, [lineOf(9), lineOf(10)], 8, full, 0);
    expect([said(first.text), first.records, first.allowance.leftOut]).toEqual([['+8', 'line 9', 'line 10'], 3, 0]);
    expect(said(batch(run, [lineOf(11)], 0, first.allowance, 0).text)).toEqual(['line 11']);
  });

  it('leaves out what is too much, counts it, and goes on when there is room again', () => {
    const long = 'x'.repeat(2000);
    const many = Array.from({ length: 500 }, (_, index) => lineOf(index + 1, 'info', long));
    const flood = batch(run, many, 0, full, 0);
    const written = flood.records;
    expect(written).toBeGreaterThan(30);
    expect(flood.text.length).toBeLessThanOrEqual(96 * 1024);
    expect(flood.allowance.leftOut).toBe(500 - written);
    const at = 30_000;
    const next = batch(run, [lineOf(501)], 0, flood.allowance, at);
    expect(said(next.text)).toEqual([`+${500 - written}`, 'line 501']);
  });

  it('leaves room for warnings and errors, which a flood cannot hide', () => {
    const scarce = withBytes(32 * 1024);
    const { text } = batch(run, [lineOf(1), lineOf(2, 'warn'), lineOf(3, 'error'), lineOf(4)], 0, scarce, 0);
    expect(said(text)).toEqual(['+1', 'line 2', 'line 3']);
    expect(batch(run, [lineOf(1, 'fatal')], 0, withBytes(10), 0).allowance.leftOut).toBe(1);
  });

  it('is 64 kB a minute on average, however long the flood', () => {
    const text = 'x'.repeat(1000);
    let allowance = full;
    let bytes = 0;
    let seq = 0;
    for (let second = 0; second < 600; second += 1) {
      const lines = Array.from({ length: 20 }, () => lineOf((seq += 1), 'error', text));
      const step = batch(run, lines, 0, allowance, second * 1000);
      ({ allowance } = step);
      bytes += Buffer.byteLength(step.text);
    }
    expect(bytes).toBeLessThanOrEqual((128 + 10 * 64) * 1024);
    expect(bytes).toBeGreaterThan(10 * 60 * 1024);
  });

  it('counts bytes and not characters, and never has more lines than a file', () => {
    const wide = batch(run, [lineOf(1, 'error', '€'.repeat(1000))], 0, withBytes(2500), 0);
    expect(wide.allowance.leftOut).toBe(1);
    const many = Array.from({ length: 2000 }, (_, index) => lineOf(index + 1, 'error', ''));
    expect(batch(run, many, 0, withBytes(1e9), 0).records).toBeLessThan(fileLines);
  });

  it('is not made larger by a clock that goes back', () => {
    expect(batch(run, [], 0, { bytes: 5, at: 1000, leftOut: 0 }, 0).allowance.bytes).toBe(5);
  });
});
