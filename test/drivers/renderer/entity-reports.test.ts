import { describe, expect, test } from 'vitest';

import { openEntityReports } from '#drivers/renderer/entity-reports.ts';
import type { BrowserFact } from '#machines/renderer/events.ts';

function open() {
  const facts: BrowserFact[] = [];
  let now = 1000;
  const report = openEntityReports(
    () => now,
    (fact) => facts.push(fact),
  );
  return { facts, report, pass: (ms: number) => (now += ms) };
}

describe('what a page says of its entities', () => {
  test('is passed on where it is well formed', () => {
    const { facts, report } = open();
    for (const message of [
      { type: 'entities', dashboard: 'lovelace', asked: 12, own: false },
      { type: 'entities', dashboard: '', asked: null, own: true },
      { type: 'uncut', dashboard: 'wall-panel' },
      { type: 'opened', dashboard: 'a_b', id: 'light.hall' },
      { type: 'read', dashboard: 'lovelace', ids: ['light.hall', 'light.hall', 'Light.Hall', 7, null, 'sun.sun'] },
      { type: 'enumerated', dashboard: 'lovelace', file: 'mini-graph-card-bundle.js' },
    ])
      expect(report(message)).toBe(true);
    expect(facts).toEqual([
      { type: 'page.subscribed', dashboard: 'lovelace', entities: 12, ownChoice: false, at: 1000 },
      { type: 'page.subscribed', dashboard: '', entities: null, ownChoice: true, at: 1000 },
      { type: 'page.uncut', dashboard: 'wall-panel', at: 1000 },
      { type: 'page.entity-opened', dashboard: 'a_b', entityId: 'light.hall', at: 1000 },
      { type: 'page.entities-read', dashboard: 'lovelace', entityIds: ['light.hall', 'sun.sun'], at: 1000 },
      { type: 'page.enumerated', dashboard: 'lovelace', file: 'mini-graph-card-bundle.js', at: 1000 },
    ]);
  });

  test('is dropped where it is not, and costs nothing of what is allowed', () => {
    const { facts, report } = open();
    const long = `light.${'x'.repeat(250)}`;
    for (let turn = 0; turn < 30; turn += 1)
      for (const message of [
        { type: 'entities', asked: 1, own: false },
        { type: 'entities', dashboard: 'a', asked: -1, own: false },
        { type: 'entities', dashboard: 'a', asked: 1.5, own: false },
        { type: 'entities', dashboard: 'a', asked: 50_001, own: false },
        { type: 'uncut', dashboard: 'a/b' },
        { type: 'uncut', dashboard: 'x'.repeat(129) },
        { type: 'uncut', dashboard: { toString: 'a' } },
        { type: 'opened', dashboard: 'a', id: long },
        { type: 'opened', dashboard: 'a', id: ['light.hall'] },
        { type: 'opened', dashboard: 'a', id: 'light.hall\n' },
        { type: 'read', dashboard: 'a', ids: [] },
        { type: 'read', dashboard: 'a', ids: 'light.hall' },
        { type: 'read', dashboard: 'a', ids: [long, 'light', '.hall', 'light.'] },
        { type: 'enumerated', dashboard: 'a', file: '' },
        { type: 'enumerated', dashboard: 'a', file: 'a/b.js' },
        { type: 'enumerated', dashboard: 'a', file: '<b>.js' },
        { type: 'enumerated', dashboard: 'a', file: 'x'.repeat(101) },
      ])
        expect(report(message)).toBe(true);
    expect(facts).toEqual([]);
    report({ type: 'read', dashboard: 'a', ids: ['light.hall'] });
    expect(facts).toHaveLength(1);
  });

  test.each([null, 7, 'read', {}, { type: 'touch' }, { type: 'getExternalAuth' }, { type: 'constructor' }])(
    'is not taken for %j',
    (message) => {
      const { facts, report } = open();
      expect(report(message)).toBe(false);
      expect(facts).toEqual([]);
    },
  );

  test('comes at most so often, and five hundred ids at a time', () => {
    const { facts, report, pass } = open();
    const ids = Array.from({ length: 5000 }, (_, index) => `light.l${index}`);
    const count = (): number => facts.splice(0).length;
    report({ type: 'read', dashboard: 'a', ids });
    expect(facts).toMatchObject([{ entityIds: ids.slice(0, 500) }]);
    for (let turn = 0; turn < 100; turn += 1) report({ type: 'read', dashboard: 'a', ids: ids.slice(turn, turn + 1) });
    expect(count()).toBe(3);
    // A minute of a flood: sixty, after what is allowed at once.
    for (let turn = 0; turn < 600; turn += 1) {
      pass(100);
      report({ type: 'read', dashboard: 'a', ids: ['light.hall'] });
    }
    expect(count()).toBe(60);
    // A page that keeps to its own pause is never cut short, however late its reports come.
    pass(60_000);
    count();
    for (const wait of [1000, 1900, 100, 1000, 2500, 200, 300, 1000]) {
      pass(wait);
      report({ type: 'read', dashboard: 'a', ids: ['light.hall'] });
    }
    expect(count()).toBe(8);
    for (const message of [
      { type: 'opened', dashboard: 'a', id: 'light.hall' },
      { type: 'enumerated', dashboard: 'a', file: 'a.js' },
      { type: 'uncut', dashboard: 'a' },
      { type: 'entities', dashboard: 'a', asked: 1, own: false },
    ]) {
      for (let turn = 0; turn < 1000; turn += 1) report(message);
      expect(count()).toBeLessThanOrEqual(20);
    }
  });
});
