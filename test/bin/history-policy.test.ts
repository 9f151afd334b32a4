import { expect, it } from 'vitest';

import type { SupervisionFact } from '#actors/kit/supervision-fact.ts';
import { createHistoryReports } from '#bin/history-policy.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

const facts: readonly (readonly [SupervisionFact, string | null])[] = [
  [{ type: 'started', id: 'led', restarts: 1 }, null],
  [{ type: 'ended', id: 'led', how: 'stopped', reason: 'stopped' }, null],
  [{ type: 'ended', id: 'led', how: 'failed', reason: 'led-driver/EIO' }, 'crashed'],
  [{ type: 'killed', id: 'led' }, 'cut'],
  [{ type: 'restarting', id: 'led', reason: 'led-driver/EIO', delayMs: 250 }, null],
  [{ type: 'parked', id: 'led', reason: 'led-driver/EIO', retryMs: 1000 }, 'parked'],
  [{ type: 'gave-up', id: 'led', reason: 'led-driver/EIO' }, null],
];

it.each(facts)('of %o the history is told %s', (fact, code) => {
  const registry = fakeRegistry({ history: {} });
  createHistoryReports(registry).note(fact, 5);
  expect(registry.told).toEqual(
    code === null ? [] : [{ id: 'history', event: { type: 'history.happened', at: 5, kind: 'part', by: 'led', code } }],
  );
});

it('keeps what happened before the history runs, up to fifty, and tells each once', () => {
  const registry = fakeRegistry({});
  const reports = createHistoryReports(registry);
  const [failed] = facts.flatMap(([fact, code]) => (code === 'crashed' ? [fact] : []));
  if (failed === undefined) throw new Error('no fact that is told');
  for (let at = 1; at <= 60; at += 1) reports.note(failed, at);
  registry.told.splice(0);
  registry.put('history', {});
  registry.put('history', {});
  const event = (at: number) => ({ type: 'history.happened', at, kind: 'part', by: 'led', code: 'crashed' });
  expect(registry.told).toEqual(Array.from({ length: 50 }, (_, index) => ({ id: 'history', event: event(index + 1) })));
});
