import { expect, it } from 'vitest';

import type { SupervisionFact } from '#actors/kit/supervision-fact.ts';
import { reportToHistory } from '#bin/history-policy.ts';
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
  reportToHistory(registry, fact, 5);
  expect(registry.told).toEqual(
    code === null ? [] : [{ id: 'history', event: { type: 'history.happened', at: 5, kind: 'part', by: 'led', code } }],
  );
});
