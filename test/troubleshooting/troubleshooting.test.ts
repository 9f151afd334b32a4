import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { capabilities } from '#machines/capabilities.ts';
import { sourceFiles } from '#test/rules/read-edges.ts';
import { isTold, troubleshooting } from './page.ts';
import { sections } from './sections.ts';
import { missingReasons } from './verdict-reasons.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const parts = sections.flatMap((section) => section.parts);

describe('TROUBLESHOOTING.md', () => {
  it('says what the panel says; "npm run record-troubleshooting" writes it anew', async () => {
    await expect(troubleshooting()).toMatchFileSnapshot(join(root, 'TROUBLESHOOTING.md'));
  });

  it('has each capability in one section', () => {
    const ids = parts.flatMap((part) => part.capabilities);
    expect(ids.toSorted()).toEqual(capabilities.map(({ id }) => id).toSorted());
  });

  it('has every verdict of the sources that says what is missing', () => {
    const told = new Set(parts.flatMap(({ verdicts }) => verdicts.filter(isTold)).map(({ reason }) => reason));
    const files = sourceFiles(root, ['machines', 'drivers']).filter((file) => !file.endsWith('/simulated.ts'));
    const found = files.flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      // What has none of these words is not parsed, which takes long.
      if (!/\b(?:missing|needsYou|needs|verdictOf|off)\b/.test(text)) return [];
      return missingReasons(file, text).map((reason) => ({ file, reason }));
    });
    expect(found.length).toBeGreaterThan(80);
    expect(found.filter(({ reason }) => !told.has(reason))).toEqual([]);
  });

  it('names nobody who wrote it', () => {
    expect(troubleshooting()).not.toMatch(/-aG \w+ (?!"\$USER")/);
  });
});

describe('the reasons of a source', () => {
  it.each([
    [`needsYou('a', 'It is gone.', 'A thing.')`, ['a']],
    [`verdictOf('off', 'a', 'It is off.', 'A thing.')`, ['a']],
    [`verdictOf('off', 'a', 'It is off.')`, []],
    [`verdictOf('checking', 'a', 'It waits.', 'An answer.')`, []],
    [`off('a', 'It is off.', 'A thing.')`, ['a']],
    [`const gone = { state: 'not_here', reason: 'a', detail: 'It is gone.', missing: 'A thing.', fix: null }`, ['a']],
    [`const well = { state: 'working', reason: 'a', detail: 'It works.', missing: null, fix: null }`, []],
  ])('are found in %s', (text, reasons) => {
    expect(missingReasons('x.ts', text)).toEqual(reasons);
  });
});
