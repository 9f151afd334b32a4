import { expect, test } from 'vitest';
import { bundleName, bundleText } from '#machines/support/bundle.ts';

const sizeOf = (text: string): number => Buffer.byteLength(text);

test('sections stand one below the other, the log last', () => {
  expect(
    bundleText(
      [
        { title: 'One', text: 'first\n' },
        { title: 'Two', text: 'second' },
      ],
      'Log',
      ['a', 'b'],
    ),
  ).toBe('== One ==\nfirst\n\n== Two ==\nsecond\n\n== Log ==\na\nb\n');
  expect(bundleText([], 'Log', [])).toBe('== Log ==\n');
});

test('of a log that does not fit the oldest lines are left out, and it says how many', () => {
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index} ${'ü'.repeat(20)}`);
  const text = bundleText([{ title: 'One', text: 'x' }], 'Log', lines, 1500);
  expect(sizeOf(text)).toBeLessThanOrEqual(1500);
  expect(text).toContain('line 99 ');
  expect(text).not.toContain('line 0 ');
  const kept = text.split('\n').filter((line) => line.startsWith('line ')).length;
  expect(text).toContain(`(${100 - kept} older lines were left out`);
});

test('a section that is too long is cut between two characters', () => {
  const text = bundleText([{ title: 'One', text: 'ü'.repeat(200_000) }], 'Log', ['the newest']);
  expect(sizeOf(text)).toBeLessThan(301_000);
  expect(text).toContain('(cut at 300000 bytes)');
  expect(text).not.toContain('\uFFFD');
  expect(text).toContain('the newest');
});

test('the largest of everything stays within two million bytes', () => {
  const sections = Array.from({ length: 6 }, (_, index) => ({ title: `S${index}`, text: 'x'.repeat(1_000_000) }));
  const text = bundleText(
    sections,
    'Log',
    Array.from({ length: 512 }, () => 'y'.repeat(4000)),
  );
  expect(sizeOf(text)).toBeLessThanOrEqual(2_000_000);
});

test('the file has its day in its name', () => {
  expect(bundleName(Date.UTC(2026, 10, 3, 23, 59))).toBe('sconce-support-2026-11-03.txt');
});
