import { vi } from 'vitest';

import { registryBridge } from '#actors/publisher/registry-bridge.ts';
import type { AskOutcome } from '#actors/kit/registry.ts';
import { createMessageExchange } from '#drivers/mqtt/message-exchange.ts';
import { entityRows } from '#machines/entities.ts';
import { shapeOf } from '#machines/entities/shape.ts';
import type { AnyRow } from '#machines/kit/entity.ts';
import { nothingAnnounced, remember, shapesToAnnounce } from '#machines/publisher/announced.ts';
import { stagesOf, withdrawalStages } from '#machines/publisher/announcement.ts';
import { checkPanel } from '#machines/publisher/discovery.ts';
import type { BridgeCommand, BridgeFact, PublishedPanel } from '#machines/publisher/events.ts';
import { absentCapabilities } from '#profiles/declared-parts.ts';
import { bundledProfile } from '#profiles/bundled.ts';
import { runDriver } from '#test/drivers/run-driver.ts';
import { fakeAdmission, waits } from '#test/fakes/admission.ts';
import { type FakeRegistry, fakeRegistry } from '#test/fakes/registry.ts';

import { type Moment, moments } from './facts.ts';

const identity = {
  panelId: 'hall',
  installId: '00112233445566778899aabbccddeeff',
  friendlyName: 'Hall "Ä"',
  manufacturer: 'Maker',
  model: 'Model',
  version: '1.2.3',
};

/** Payloads for a command topic of each kind of entity: valid ones first. */
const payloads: Readonly<Record<AnyRow['entityKind'], readonly string[]>> = {
  light: [
    '{"state":"ON"}',
    '{"state":"OFF","brightness":7}',
    '{"state":"ON","brightness":128}',
    '{"brightness":0}',
    '{"state":"ON","color":{"r":255,"g":120,"b":0}}',
    '{"state":"ON","color":{"r":0,"g":0,"b":0}}',
    '{"effect":"blink"}',
    '{"effect":"rainbow"}',
    '{"brightness":256}',
    '{"brightness":"7"}',
    '{"color":{"r":1}}',
    '{}',
    '[]',
    'ON',
  ],
  number: ['0', '42.4', ' 7 ', '1e1', '-31', '1000', 'NaN', ''],
  text: ['/lovelace/hall', '', '  ', 'ä'.repeat(255), 'ä'.repeat(256), 'b'.repeat(5000), 'https://other.test/x'],
  switch: ['ON', 'OFF', 'on', ''],
  select: ['debug', 'info', 'builtin', 'nonsense'],
  button: ['PRESS', 'press', ''],
  sensor: ['7'],
  binary_sensor: ['ON'],
  event: ['press'],
  image: ['http://192.0.2.1/'],
};

/** What a part that is asked answers, by its name in the record. */
const answers: Readonly<Record<string, AskOutcome<unknown>>> = {
  saved: { ok: true, value: { status: 'saved', applied: [] } },
  refused: { ok: true, value: { status: 'refused', reasons: { it: 'This value is not allowed here.' } } },
  busy: { ok: true, value: { status: 'busy' } },
  unsaved: { ok: true, value: { status: 'commit-failed', reason: 'EIO' } },
  absent: { ok: false, reason: 'absent' },
  ended: { ok: false, reason: 'ended' },
  timeout: { ok: false, reason: 'timeout' },
};

/** Ways in which a command to the dashboard ends after its actor took it. */
const navigations = [
  { outcome: 'shown', refusal: null, message: null },
  { outcome: 'elsewhere', refusal: null, message: 'Home Assistant opened another page.' },
  { outcome: 'hung', refusal: null, message: null },
  { outcome: 'kept', refusal: null, message: 'Kept.' },
  { outcome: 'refused', refusal: 'not-shown', message: 'No dashboard is shown now.' },
].map((one, index) => ({ ...one, origin: 'home-assistant', tookMs: 5, at: index + 1 }));

const put = (registry: FakeRegistry, id: string, moment: Moment | undefined): void =>
  registry.put(id, moment?.context, moment?.state);

/** The panel of the catalogue under these capabilities that are absent, as messages of its discovery. */
function discoveryOf(panel: PublishedPanel): readonly string[] {
  const { components, shapes, refused } = checkPanel(panel, nothingAnnounced);
  const marks = [
    ...shapes,
    { key: 'gone', entityKind: 'sensor' as const },
    { key: 'led', entityKind: 'switch' as const },
  ];
  const earlier = remember(nothingAnnounced, { panelId: 'attic', prefix: 'other' }, shapes.slice(0, 3));
  const announced = remember(remember(earlier, panel, marks), panel, shapesToAnnounce(panel, earlier));
  const announcement = { panel, components, announced, sweep: 'all', silent: false } as const;
  return [
    `refused ${JSON.stringify(refused)}`,
    ...Object.entries(components).map(([key, component]) => `component ${key} ${JSON.stringify(component)}`),
    ...[...stagesOf(announcement), ...withdrawalStages({ panel, components, announced }, true)].flatMap(
      ({ configs, states, clears }, step) => [
        `step ${step}${states ? ' with states' : ''}`,
        ...[...configs, ...clears].map((message) => `> ${JSON.stringify(message)}`),
      ],
    ),
  ];
}

/**
 * Everything that the entities of a panel exchange with the broker and with the panel's parts, line by line: discovery,
 * the states of every row, and what becomes of every kind of command.
 */
export async function recordWire(): Promise<readonly string[]> {
  vi.useFakeTimers({ now: 1_700_000_000_000 });
  const lines: string[] = [];
  const registry = fakeRegistry({
    identity,
    'active-profile': { absent: [], optional: [] },
    http: { port: 8888 },
  });
  for (const [id, [first]] of Object.entries(moments)) put(registry, id, first);
  const messages = createMessageExchange();
  const { deliver } = messages.open({
    publish: (all) => void lines.push(...all.map((message) => `> ${JSON.stringify(message)}`)),
    subscribeTo: () => {},
  });
  const admission = fakeAdmission();
  const driver = runDriver<BridgeCommand, BridgeFact>(
    registryBridge({
      registry,
      messages,
      rows: entityRows,
      admission,
      note: (message, facts) => void lines.push(`log ${message} ${JSON.stringify(facts)}`),
      now: () => Date.now(),
    }),
  );
  let facts = driver.facts.length;
  let asked = 0;
  const panelNow = (): PublishedPanel => {
    const panels = driver.facts.flatMap((fact) => (fact.type === 'panel.changed' ? [fact.panel] : []));
    const last = panels.at(-1);
    if (last === undefined) throw new Error('the bridge reported no panel', { cause: driver.crashed() });
    return last;
  };
  const settle = async (): Promise<void> => {
    await vi.advanceTimersByTimeAsync(1500);
    for (const { id, event } of registry.told.splice(0)) lines.push(`told ${id} ${JSON.stringify(event)}`);
    for (const wanted of admission.asked.slice(asked)) lines.push(`asked ${JSON.stringify(wanted)}`);
    asked = admission.asked.length;
    for (const fact of driver.facts.slice(facts))
      if (fact.type !== 'panel.changed') lines.push(`fact ${JSON.stringify(fact)}`);
    facts = driver.facts.length;
  };
  await settle();
  lines.push('# Discovery of the whole catalogue', ...discoveryOf(panelNow()));
  const simulated = bundledProfile('simulated');
  if (simulated === null) throw new Error('there is no simulated profile');
  registry.put('active-profile', { absent: absentCapabilities(simulated.document), optional: [] });
  registry.put('settings', { ...(moments['settings']?.[0]?.context as object), expose: {} });
  lines.push('# Discovery of the simulated panel', ...discoveryOf(panelNow()));
  registry.put('active-profile', { absent: [], optional: [] });
  put(registry, 'settings', moments['settings']?.[0]);

  driver.tell({ type: 'bridge.serve', panelId: 'hall', shapes: panelNow().shapes });
  lines.push('# States');
  driver.tell({ type: 'bridge.publish-rows' });
  await settle();
  for (const [id, all] of Object.entries(moments)) {
    for (const [index, moment] of [...all, undefined, all[0]].entries()) {
      lines.push(`## ${id} ${index}`);
      put(registry, id, moment);
      driver.tell({ type: 'bridge.serve', panelId: 'hall', shapes: panelNow().shapes });
      await settle();
    }
  }

  const command = async (key: string, payload: string, title = ''): Promise<void> => {
    lines.push(`## ${key} ${title}< ${payload.length > 300 ? `${payload.length} characters` : payload}`);
    deliver({ topic: `sconce/hall/${key}/set`, payload, retained: false });
    await settle();
  };
  const setsSomething = (row: AnyRow): boolean =>
    !['sensor', 'binary_sensor', 'event', 'image'].includes(row.entityKind);
  lines.push('# Commands');
  registry.answer = () => answers['saved'] ?? { ok: false, reason: 'absent' };
  for (const row of entityRows) {
    for (const payload of payloads[row.entityKind]) await command(row.key, payload);
    deliver({ topic: `sconce/hall/${row.key}/set`, payload: payloads[row.entityKind][0] ?? '', retained: true });
    await settle();
  }
  lines.push('# Commands that a part answers');
  for (const [name, answer] of Object.entries(answers)) {
    registry.answer = () => answer;
    await command('log_level', 'debug', `${name} `);
    await command('home_dashboard', '/lovelace/1', `${name} `);
  }
  registry.answer = () => answers['saved'] ?? { ok: false, reason: 'absent' };
  lines.push('# Commands that wait for a person');
  admission.answer = () => waits;
  for (const row of entityRows) if (setsSomething(row)) await command(row.key, payloads[row.entityKind][0] ?? '');
  admission.answer = () => ({ ok: true });
  lines.push('# Commands that end later');
  for (const key of ['navigate', 'reload']) {
    for (const lastNavigation of navigations) {
      await command(key, key === 'reload' ? 'PRESS' : '/lovelace/1', `${lastNavigation.outcome} `);
      registry.put('renderer', { lastEnd: null, path: '/lovelace/1', lastNavigation }, { up: { showing: 'live' } });
      await settle();
      registry.put(
        'renderer',
        { lastEnd: null, path: '/lovelace/1', lastNavigation: { ...lastNavigation, origin: 'http' } },
        { up: { showing: 'live' } },
      );
      await settle();
    }
  }
  lines.push('# Commands to parts that do not run');
  for (const row of entityRows) {
    if (!setsSomething(row) || row.actor === 'settings') continue;
    registry.put(row.actor, undefined);
    await command(row.key, payloads[row.entityKind][0] ?? '');
    put(registry, row.actor, moments[row.actor]?.[0]);
    await settle();
  }
  lines.push('# A flood');
  for (let level = 1; level <= 60; level += 1)
    deliver({ topic: 'sconce/hall/screen/set', payload: `{"state":"ON","brightness":${level}}`, retained: false });
  await settle();
  driver.stop();
  vi.useRealTimers();
  return lines;
}

/** Rows that the record has no facts for, whose states it cannot show. */
export const unknownActors = (): readonly string[] =>
  entityRows.filter(({ actor }) => moments[actor] === undefined).map((row) => shapeOf(row).key);
