import { describe, expect, test } from 'vitest';
import { healthyRecovery } from '#machines/advertiser/recovery.ts';
import { capabilities, pathOf } from '#machines/capabilities.ts';
import type { CapabilityRow } from '#machines/kit/status.ts';
import { descriptors } from '#machines/settings.ts';
import { warningsView } from '#test/fakes/status-view.ts';
import type { JudgedCapability } from '#machines/status/needs.ts';
import { summarise, type SummaryFacts } from '#machines/status/summary.ts';
import { nothingKnown } from '#machines/storage-health/nothing-known.ts';
import { storageView } from '#machines/storage-health/view.ts';
import { factsFrom } from '#test/fakes/facts.ts';

/** A verdict on the capability of that id, with the urgency and the page that its manifest gives it. */
function row(id: string, state: CapabilityRow['state'], more: Partial<CapabilityRow> = {}): JudgedCapability {
  const { urgency, pages = {}, headlines = {} } = capabilities.find((one) => one.id === id) ?? {};
  const remedy = pages[more.reason ?? ''];
  const headline = headlines[more.reason ?? ''] ?? headlines['*'];
  return {
    id,
    title: id,
    state,
    reason: 'because',
    detail: `${id} says so.`,
    missing: null,
    fix: null,
    ...(urgency !== undefined && { urgency }),
    ...(remedy !== undefined && { page: pathOf(remedy) }),
    ...(headline !== undefined && { headline }),
    ...more,
  };
}

const facts = (more: Partial<SummaryFacts> = {}): SummaryFacts => ({
  simulated: false,
  capabilities: [row('screen', 'working'), row('mqtt', 'working')],
  connected: false,
  announced: 0,
  parked: [],
  loss: null,
  newer: null,
  home: null,
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

  test('all well and shown: what was counted is what was announced', () => {
    const home = { state: 'there' as const, evidence: [], shows: 'shown' as const, detail: '' };
    expect(summarise(facts({ connected: true, announced: 5, home })).sentence).toBe(
      'This panel is working, with 5 entities announced, and Home Assistant shows it.',
    );
  });

  test('settings of a newer version come first while the owner has not decided, else after what is broken', () => {
    const broken = [row('mqtt', 'needs_you')];
    const undecided = { sentence: 'Decide.', isUndecided: true };
    expect(summarise(facts({ capabilities: broken, newer: undecided }))).toEqual({
      state: 'needs_you',
      sentence: 'This panel needs you: Decide about the settings of a newer version.',
      next: { title: 'Decide about the settings of a newer version', sentence: 'Decide.', fix: null, href: '/reset' },
    });
    const older = { sentence: 'Those of before are in use.', isUndecided: false };
    expect(summarise(facts({ capabilities: broken, newer: older })).next?.title).not.toBe('Check your settings');
    expect(summarise(facts({ newer: older }))).toMatchObject({
      state: 'needs_you',
      next: { title: 'Check your settings', sentence: older.sentence, href: '/configure' },
    });
  });

  test('what matters most is the next step, with its command', () => {
    const fix = { command: 'sudo true', effect: 'Does it.' };
    const said = summarise(facts({ capabilities: [row('mqtt', 'needs_you'), row('screen', 'needs_you', { fix })] }));
    expect(said).toMatchObject({
      state: 'needs_you',
      sentence: 'This panel needs you for 2 things, first: Let Sconce reach the screen.',
      next: { title: 'Let Sconce reach the screen', sentence: 'screen says so.', fix, href: null },
    });
  });

  test('one thing that needs a person is named', () => {
    expect(summarise(facts({ capabilities: [row('storage', 'needs_you')] })).sentence).toBe(
      'This panel needs you: Free up disk space.',
    );
    expect(summarise(facts({ simulated: true, capabilities: [row('input', 'needs_you')] })).sentence).toBe(
      'This simulated panel needs you: Get input working.',
    );
  });

  test('what says nothing of its urgency comes after all that does, and keeps its order', () => {
    const next = (...ids: readonly string[]) =>
      summarise(facts({ capabilities: ids.map((id) => row(id, 'needs_you')) })).next?.sentence;
    expect(next('input', 'wifi', 'reboot')).toBe('reboot says so.');
    expect(next('input', 'wifi')).toBe('input says so.');
    expect(next('reboot', 'announcements', 'volume', 'platform', 'mqtt', 'sign-in', 'storage')).toBe(
      'storage says so.',
    );
  });

  test('a command stands in place of a page', () => {
    const fix = { command: 'sudo true', effect: 'Does it.' };
    expect(summarise(facts({ capabilities: [row('mqtt', 'needs_you', { fix })] })).next).toMatchObject({
      fix,
      href: null,
    });
  });

  test.each([
    ['mqtt', 'no-broker', 'Connect to your broker', '/configure/mqtt#field-mqtt_broker'],
    ['mqtt', 'broker-unreachable', 'Check your broker', '/configure/mqtt#field-mqtt_broker'],
    ['mqtt', 'no-mqtt-there', 'Check your broker', '/configure/mqtt#field-mqtt_broker'],
    ['mqtt', 'wrong-credentials', 'Correct the broker’s password', '/configure/mqtt#field-mqtt_password'],
    ['mqtt', 'broker-unconfirmed', 'Confirm the broker', '/configure/mqtt#confirm-broker'],
    ['platform', 'panel-id-taken', 'Give this panel another id', '/configure/identity#field-panel_id'],
    ['sign-in', 'sign-in-needed', 'Sign in to Home Assistant', '/sign-in'],
    [
      'dashboard',
      'platform-never-answered',
      'Check the address of Home Assistant',
      '/configure/home-assistant#field-ha_url',
    ],
  ])('%s that needs somebody for %s says what to do and leads to the very field', (id, reason, title, href) => {
    expect(summarise(facts({ capabilities: [row(id, 'needs_you', { reason })] })).next).toMatchObject({ title, href });
  });

  test('each field that a capability leads to is one of the settings', () => {
    const led = capabilities.flatMap(({ pages = {} }) =>
      Object.values(pages).flatMap((remedy) => (typeof remedy === 'string' ? [] : [remedy.field])),
    );
    expect(led.length).toBeGreaterThan(5);
    const settable = descriptors.filter(({ readOnly }) => !readOnly).map(({ key }) => key);
    expect(led.filter((key) => !settable.includes(key))).toEqual([]);
  });

  test('what has no words of its own is called by its name', () => {
    const relay = row('relay1', 'needs_you', { title: 'Relay 1' });
    expect(summarise(facts({ capabilities: [relay] })).next?.title).toBe('Get Relay 1 working');
  });

  test('what no page puts right points at its evidence', () => {
    const display = row('dashboard', 'needs_you', { reason: 'no-display' });
    expect(summarise(facts({ capabilities: [display] })).next?.href).toBe('/#capability-dashboard');
  });

  test('a capability that is not here asks nothing of anybody', () => {
    expect(summarise(facts({ capabilities: [row('wifi', 'not_here')] })).state).toBe('working');
  });

  test('a parked part is said by name, never shown as working', () => {
    expect(summarise(facts({ parked: ['volume'] }))).toMatchObject({
      state: 'needs_you',
      sentence: expect.stringContaining('volume'),
      next: { title: 'The part volume keeps failing', href: '/parts' },
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

describe('projectWarnings', () => {
  const publisher = {
    announced: [],
    refused: { screen: 'bad' },
    ghosts: 0,
    homeAssistantDetected: false,
    removedElsewhere: false,
    advice: null,
    refusedCommands: 0,
    lastRefusal: null,
    storeFault: null,
  };
  const storage = storageView(nothingKnown);
  const advertiser = (phase: 'recovering' | 'exhausted') => ({ recovery: { ...healthyRecovery, phase } });
  const activation = (state: string, detail: string | null) => ({
    catalog: { activation: { state, detail }, selection: { mode: 'command_line' } },
  });

  test('nothing to warn of, and nothing of parts that are away', () => {
    expect(warningsView(factsFrom({}))).toEqual([]);
    const quiet = {
      'active-profile': { simulated: false },
      settings: { dropped: [], openFiles: [] },
      store: { loss: null },
      'storage-health': { health: { ...storage, state: 'warning' } },
      publisher: { ...publisher, refused: {} },
      advertiser: advertiser('recovering'),
      'profile-catalog': activation('active', 'Some words.'),
    };
    expect(warningsView(factsFrom(quiet))).toEqual([]);
    expect(warningsView(factsFrom({ ...quiet, profiles: { catalog: null } }))).toEqual([]);
    expect(warningsView(factsFrom({ ...quiet, profiles: activation('rolled_back', null) }))).toEqual([]);
  });

  test('a simulated panel that nobody asked for says why it is one', () => {
    const said = (mode: string): readonly string[] =>
      warningsView(
        factsFrom({
          'active-profile': { simulated: true },
          'profile-catalog': { catalog: { activation: { state: 'active', detail: null }, selection: { mode } } },
        }),
      );
    expect(said('auto')).toEqual([expect.stringMatching(/^No screen was found .* Connect a screen/)]);
    expect(said('command_line')).toEqual([expect.stringMatching(/^Simulated panel/)]);
  });

  test('a save that failed is said like a disk that is full', () => {
    const health = { ...storage, state: 'database_failure', summary: 'The last save failed.' };
    expect(warningsView(factsFrom({ 'storage-health': { health } }))).toEqual(['The last save failed.']);
  });

  test('each fact gives one sentence, the gravest first', () => {
    const warnings = warningsView(
      factsFrom({
        'active-profile': { simulated: true },
        settings: { dropped: ['log_level'], openFiles: ['--mqtt-pass-file'] },
        store: { loss: { reason: 'Lost.', at: 1 } },
        'storage-health': { health: { ...storage, state: 'critical', summary: 'The disk is nearly full.' } },
        publisher,
        advertiser: advertiser('exhausted'),
        'profile-catalog': activation('rolled_back', 'The profile was taken back.'),
      }),
    );
    expect(warnings).toEqual([
      'Lost.',
      'The disk is nearly full.',
      'Stored settings that were not valid are at their defaults: log_level.',
      "Others on this machine can read the file of --mqtt-pass-file. Make it its owner's only: chmod 600 and its path.",
      'The profile was taken back.',
      'Left out for Home Assistant because their description was not valid: screen.',
      'This panel cannot be found on its network: announcing it again failed three times.',
      'Simulated panel: no hardware is touched.',
    ]);
  });
});
