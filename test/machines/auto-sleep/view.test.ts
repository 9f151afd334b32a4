import { expect, it } from 'vitest';

import { AutoSleepDocument, SleepHistory, SleepPrerequisite, SleepSources } from '#machines/auto-sleep/document.ts';
import { replayFaults } from '#machines/auto-sleep/events.ts';
import { restingFacts } from '#machines/auto-sleep/off.ts';
import { documentOf, historyOf, prerequisiteOf, sourcesOf } from '#machines/auto-sleep/view.ts';

const NOW = 1_795_000_000_000;
const key = 'a'.repeat(64);
const given = { values: { auto_sleep: true, auto_sleep_source: 'touch' }, areaName: 'Hall', now: NOW };

it('shows the decision, with the area only from who asked', () => {
  const view = {
    ...restingFacts.view,
    phase: 'holding',
    reason: 'source_active',
    leaseMs: 600_000,
    sourceCount: 1,
    changes: [{ at: NOW, lit: true, by: 'presence', reason: 'source_active', sourceKey: key }],
  } as const;
  const shown = AutoSleepDocument().parse(documentOf({ ...restingFacts, view, discoveredCount: 40 }, given));
  expect(shown).toMatchObject({
    available: true,
    enabled: true,
    source: 'touch',
    phase: 'holding',
    reason: 'source_active',
    learned_lease_ms: 600_000,
    source_count: 1,
    discovered_source_count: 40,
    area_name: 'Hall',
    manual_suppression: false,
    detail: 'On: a sensor sees a person.',
    changes: [{ epoch_ms: NOW, lit: true, by: 'presence', reason: 'source_active', source_key: key }],
  });
});

it.each([
  ['off', { phase: 'off', reason: 'disabled' }],
  ['restarting', { phase: 'unavailable', reason: 'runtime_unavailable' }],
] as const)('says that it is %s', (facts, expected) => {
  expect(AutoSleepDocument().parse(documentOf(facts, given))).toMatchObject({ available: false, ...expected });
});

it.each([
  ['assigned', true],
  ['unassigned', false],
  ['auth_failed', false],
  ['unavailable', false],
] as const)('shows the prerequisite %s: eligible %s', (phase, eligible) => {
  const shown = SleepPrerequisite().parse(prerequisiteOf({ phase, areaName: null }));
  expect(shown).toMatchObject({ phase, eligible, area_name: null });
});

it('shows a replay, and without one an empty window with its reason', () => {
  const lanes = [{ key, states: [{ at: NOW - 5, state: 'on' }] }] as const;
  const segments = [{ from: NOW - 5, to: NOW, verdict: 'hold_awake', reason: 'source_active' }] as const;
  const settled = { from: NOW - 5, to: NOW, leaseMs: 600_000, lanes, segments };
  expect(SleepHistory().parse(historyOf({ fault: null, settled }, 6))).toMatchObject({
    available: true,
    hours: 6,
    window_end_epoch_ms: NOW,
    source_count: 1,
    segments: [{ start_epoch_ms: NOW - 5, category: 'hold_awake' }],
    source_lanes: [{ source_key: key, states: [{ epoch_ms: NOW - 5, state: 'on' }] }],
    detail: null,
  });
  for (const fault of replayFaults)
    expect(SleepHistory().parse(historyOf({ fault, settled: null }, 48))).toMatchObject({
      available: false,
      window_start_epoch_ms: null,
      detail: fault,
    });
});

it('shows the sensors of the area', () => {
  const source = { key, entityId: 'binary_sensor.hall', name: 'Hall', state: 'on', isIncluded: false } as const;
  const shown = sourcesOf({ areaKey: key, areaName: 'Hall', sources: [source], total: 40 });
  expect(SleepSources().parse(shown)).toMatchObject({
    items: [{ source_key: key, entity_id: 'binary_sensor.hall', included: false }],
    total: 40,
  });
});
