import { describe, expect, test } from 'vitest';
import type { CapabilityRow } from '#machines/status/document.ts';
import { summarise, type SummaryFacts } from '#machines/status/summary.ts';
import { warningsOf } from '#machines/status/warnings.ts';
import { uncheckedStorage } from '#routes/status/before-first-look.ts';

const row = (id: string, state: CapabilityRow['state'], more: Partial<CapabilityRow> = {}): CapabilityRow => ({
  id,
  title: id,
  state,
  reason: 'because',
  detail: `${id} says so.`,
  missing: null,
  fix: null,
  ...more,
});

const facts = (more: Partial<SummaryFacts> = {}): SummaryFacts => ({
  simulated: false,
  capabilities: [row('screen', 'working'), row('mqtt', 'working')],
  order: ['screen', 'mqtt'],
  connected: false,
  announced: 0,
  parked: [],
  loss: null,
  ...more,
});

describe('summarise', () => {
  test('all well and alone', () => {
    expect(summarise(facts())).toEqual({ state: 'working', sentence: 'This panel is working.', next: null });
  });

  test('all well and announced', () => {
    expect(summarise(facts({ connected: true, announced: 5 })).sentence).toContain('5 entities');
    expect(summarise(facts({ connected: true, announced: 1 })).sentence).toContain('one entity');
  });

  test('what matters most is the next step, with its command', () => {
    const fix = { command: 'sudo true', effect: 'Does it.' };
    const said = summarise(facts({ capabilities: [row('mqtt', 'needs_you'), row('screen', 'needs_you', { fix })] }));
    expect(said).toMatchObject({
      state: 'needs_you',
      sentence: expect.stringContaining('2 things'),
      next: { sentence: 'screen says so.', fix, href: null },
    });
  });

  test('a broker that needs somebody points at Configure', () => {
    expect(summarise(facts({ capabilities: [row('mqtt', 'needs_you')] })).next?.href).toBe('/configure');
  });

  test('a capability that is not here asks nothing of anybody', () => {
    expect(summarise(facts({ capabilities: [row('wifi', 'not_here')] })).state).toBe('working');
  });

  test('a parked part is said by name, never shown as working', () => {
    expect(summarise(facts({ parked: ['volume'] }))).toMatchObject({
      state: 'needs_you',
      sentence: expect.stringContaining('volume'),
    });
  });

  test('lost settings are said', () => {
    expect(summarise(facts({ loss: 'The file was broken.' }))).toMatchObject({
      state: 'needs_you',
      next: { sentence: 'The file was broken.' },
    });
  });

  test('still looking is its own word', () => {
    expect(summarise(facts({ capabilities: [row('screen', 'checking')] })).state).toBe('checking');
  });
});

describe('warningsOf', () => {
  const configuration = { revision: 1, digest: '00000000', dropped: [] as string[], loss: null, last_failure: null };
  test('nothing to warn of', () => {
    expect(
      warningsOf({ simulated: false, configuration, storage: uncheckedStorage, publisher: null, unseen: false }),
    ).toEqual([]);
  });
  test('each fact gives one sentence', () => {
    const publisher = {
      phase: 'duplicate' as const,
      announced: [],
      refused: { screen: 'bad' },
      ghosts: 0,
      platformSeen: false,
      removedElsewhere: false,
      advice: null,
      refusedCommands: 0,
      ledgerFault: null,
    };
    const warnings = warningsOf({
      simulated: true,
      configuration: { ...configuration, dropped: ['log_level'], loss: 'Lost.' },
      storage: { ...uncheckedStorage, state: 'critical', summary: 'The disk is nearly full.' },
      publisher,
      unseen: true,
    });
    expect(warnings).toHaveLength(6);
    expect(warnings.join(' ')).toMatch(/Lost\..*nearly full.*log_level.*screen.*not heard.*simulated/s);
  });
});
