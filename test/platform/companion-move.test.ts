import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompanionDocument, Moved } from '#machines/companion/document.ts';
import { amount } from '#test/fakes/amount.ts';
import type { EntityState, FlowStep, HomeClient } from './home-assistant/client.ts';
import { Agent } from './kit/agent.ts';
import { observe } from './kit/broker.ts';
import { Cable } from './kit/cable.ts';
import { drawn } from './kit/outages.ts';
import { addPanel, answer, approve, asked, flow, questionAt, switchMode } from './kit/paired.ts';
import { agree, join, panelCalled } from './kit/panel.ts';
import { until } from './kit/until.ts';
import { choose, idsGiven, type Registered, registeredOf } from './moving/owner.ts';
import { connectionsTo, place, type Place } from './moving/place.ts';

type Surface = 'mqtt' | 'native';
const [panel, seed] = [
  panelCalled('moving_hall', 'Moving hall'),
  Number(process.env['SCONCE_MOVE_SEED'] ?? amount(39, Math.floor(Math.random() * 2 ** 31))),
];
const ids = idsGiven(panel);
const byEntity = 'A loud panel gets darker';
const byDevice = 'The panel by its device';
const other = (of: Surface): Surface => (of === 'mqtt' ? 'native' : 'mqtt');

let at: Place;
let agent: Agent;
/** The panel's way to the broker. */
let cable: Cable;
let client: HomeClient;
let states: ReadonlyMap<string, EntityState>;
/** As the owner chose, over the broker. */
let before: Registered;
/** Entities without a use on this panel, such as those of the dashboard. */
let idle: readonly string[];
let entry: string;
let takeBack: (client: HomeClient) => Promise<void>;

async function look(): Promise<void> {
  client = await at.client();
  states = await client.states();
}
const stateOf = (id: string): string | undefined => states.get(id)?.state;
const document = async (): Promise<CompanionDocument> =>
  // The routes' own tests hold the shape; here it is taken at its word.
  JSON.parse(await agent.text('/api/v1/companion')) as CompanionDocument;

/** Moves by the route, as the page does. */
async function move(to: Surface, more: object = {}): Promise<{ readonly code: number; readonly answer: Moved }> {
  const { code, text } = await agent.post('/api/v1/companion/move', { to, ...more });
  return { code, answer: JSON.parse(text) as Moved };
}

/** What the broker retains of the panel. */
async function retained(): Promise<readonly string[]> {
  const { seen, client: observer } = await observe(at.brokerPort);
  try {
    // What is retained comes first.
    await observer.publishAsync('test/asked', '');
    await until('it is told', () => seen.some(({ topic }) => topic === 'test/asked'));
    return seen.flatMap(({ topic, payload, retained: is }) =>
      is && payload !== '' && topic.includes(panel.id) ? [topic] : [],
    );
  } finally {
    await observer.endAsync();
  }
}

/** Waits until the panel says that it is settled there, and that its Home Assistant is connected. */
const settled = (wanted?: Surface): Promise<Surface> =>
  until(
    `it is settled ${wanted ?? ''}`,
    async () => {
      const { surface, moving, clients } = await document();
      const isThere = surface !== null && (wanted === undefined || surface === wanted);
      return isThere && moving === null && clients.some(({ connected }) => connected) && surface;
    },
    60_000,
  ) as Promise<Surface>;

/** Looks at all of it: one surface, whole, and as the owner chose. */
async function check(surface: Surface, { mayHaveWill = false } = {}): Promise<void> {
  const platform = surface === 'native' ? 'sconce' : 'mqtt';
  let found: readonly Registered[] = [];
  const shown = ({ device, entities }: Pick<Registered, 'device' | 'entities'>): string =>
    JSON.stringify([device, entities]);
  await until(
    'it is one surface, whole',
    async () => {
      found = await registeredOf(client, panel);
      return found.length === 1 && found[0]?.platform === platform && shown(found[0]) === shown(before);
    },
    45_000,
  ).catch(() => expect(found).toEqual([{ ...before, platform, deviceId: found[0]?.deviceId }]));
  const enabled = Object.values(before.entities).flatMap(({ entity_id: id, disabled_by: by }) =>
    by === null && !idle.includes(String(id)) ? [String(id)] : [],
  );
  const missing = (): readonly string[] =>
    enabled.flatMap((id) => ([undefined, 'unavailable'].includes(stateOf(id)) ? [`${id} ${stateOf(id)}`] : []));
  await until('all are available', () => missing().length === 0).catch(() => expect(missing()).toEqual([]));
  const foreign = [...states.keys()].filter((id) => id.includes(panel.id) || id.includes('the_panel_in_the_hall'));
  const known = new Set(Object.values(before.entities).map(({ entity_id: id }) => id));
  expect(foreign.filter((id) => !known.has(id) && !id.startsWith('automation.'))).toEqual([]);
  const topics = await retained();
  if (surface === 'native') {
    // The broker itself publishes the will of a panel that was killed before it had left.
    expect(topics.filter((topic) => !mayHaveWill || !topic.startsWith(`sconce/${panel.id}/status/`))).toEqual([]);
    expect(connectionsTo(agent.pid, cable.port)).toBe(0);
    expect((await agent.status()).mqtt?.phase).toBe('off');
  } else {
    expect(topics.some((topic) => topic.startsWith('homeassistant/'))).toBe(true);
    expect(connectionsTo(agent.pid, cable.port)).toBe(1);
  }
  expect(JSON.parse(await agent.text('/api/v1/config'))).toMatchObject({ settings: { entity_surface: surface } });
}

/** Values that the volume had, in order. */
const values: number[] = [];
let loudness = 10;
/** Another value, there and back: from the panel into the state, and from a call into the panel. */
async function works(): Promise<void> {
  loudness = loudness < 60 ? loudness + 1 : 11;
  await agent.act('volume', loudness);
  await until('the state follows', () => Number(stateOf(ids.volume)) === loudness);
  loudness += 1;
  await client.act('number.set_value', ids.volume, { value: loudness });
  await until('the panel follows', async () => (await agent.hardware()).volume.percent === loudness);
  await until('the state follows', () => Number(stateOf(ids.volume)) === loudness);
  values.push(loudness - 1, loudness);
}

/** The recorder has one history of the entity, through all of its ways. */
async function remembers(): Promise<void> {
  if (at.own === null) return;
  let told: readonly number[] = [];
  await until('the history is whole', async () => {
    const found = await client.call<Readonly<Record<string, readonly { readonly s: string }[]>>>(
      'history/history_during_period',
      {
        start_time: started.toISOString(),
        entity_ids: [ids.volume],
        minimal_response: true,
        no_attributes: true,
        significant_changes_only: false,
      },
    );
    told = (found[ids.volume] ?? []).map(({ s }) => Number(s));
    let next = 0;
    for (const value of told) if (value === values[next]) next += 1;
    return next === values.length;
  }).catch(() => expect(told.filter((value) => values.includes(value))).toEqual(values));
}
const started = new Date();

/** The automation that names entities does its work. */
async function automated(): Promise<void> {
  await client.act('light.turn_on', panel.entity.screen, { brightness: 200 });
  await until('it is bright', async () => (await agent.sensors()).brightness === 200);
  await agent.act('volume', 66);
  await until('it gets darker', async () => (await agent.sensors()).brightness === 99);
  await agent.act('volume', loudness);
  await until('the state follows', () => Number(stateOf(ids.volume)) === loudness);
}

beforeAll(async () => {
  [at, agent] = await Promise.all([place(), Agent.start()]);
  cable = await Cable.to(at.brokerPort);
  await look();
  await join(agent, panel, cable.port);
  await agree(states, agent, panel);
  idle = [...states].flatMap(([id, { state }]) => (id.includes(panel.id) && state === 'unavailable' ? [id] : []));
  ({ entry_id: entry } = await addPanel(client, agent));
  await settled('mqtt');
  const [found] = await registeredOf(client, panel);
  takeBack = await choose(client, panel, found?.deviceId ?? '');
  await until('the new ids are there', () => states.has(ids.volume) && states.has(ids.storage));
  const all = await registeredOf(client, panel);
  [before] = all as readonly [Registered];
  expect(all.map(({ platform }) => platform)).toEqual(['mqtt']);
  await client.post('/api/config/automation/config/moving_by_entity', {
    alias: byEntity,
    triggers: [{ trigger: 'numeric_state', entity_id: ids.volume, above: 65 }],
    actions: [{ action: 'light.turn_on', target: { entity_id: panel.entity.screen }, data: { brightness: 99 } }],
  });
  await client.post('/api/config/automation/config/moving_by_device', {
    alias: byDevice,
    triggers: [{ trigger: 'event', event_type: 'moving_by_device' }],
    actions: [{ action: 'light.turn_on', target: { device_id: before.deviceId }, data: { brightness: 55 } }],
  });
});

afterAll(async () => {
  console.log(`seed ${seed}: ${told.join('; ')}`);
  // Nothing is left in the Home Assistant, and at the broker, that all share.
  await agent?.configure({ mqtt_broker: '', entity_surface: 'mqtt' }).catch(() => undefined);
  if (entry !== undefined) await client.remove(`/api/config/config_entries/entry/${entry}`).catch(() => undefined);
  for (const id of ['moving_by_entity', 'moving_by_device'])
    await client?.remove(`/api/config/automation/config/${id}`).catch(() => undefined);
  await takeBack?.(client).catch(() => undefined);
  await cable?.end();
  await Promise.all([agent?.stop(), at?.end()]);
});

/** What was killed, and where the move was. */
const told: string[] = [];

describe('what an owner chose', () => {
  it('is kept on the way to the integration, which the page asks for', async () => {
    await works();
    await automated();
    const preview = await move('native', { dry_run: true });
    const list = { entities: Object.keys(before.entities).length, automations: [byDevice], scripts: [] };
    expect(preview).toMatchObject({ code: 200, answer: { status: 'preview', to: 'native', list } });
    await check('mqtt');
    const from = performance.now();
    const done = await move('native');
    told.push(`to native in ${Math.round(performance.now() - from)} ms`);
    expect(done).toMatchObject({ code: 200, answer: { status: 'moved', list, applied: true, stays: [] } });
    await check('native');
    await works();
    await automated();
    await remembers();
  });

  it('is kept on the way back, which Home Assistant asks for', async () => {
    const menu = await client.post<FlowStep>('/api/config/config_entries/flow', {
      handler: 'sconce',
      entry_id: entry,
    });
    expect(menu).toMatchObject({ type: 'menu', menu_options: ['address', 'to_mqtt'] });
    expect(await flow.next(client, menu, { next_step_id: 'to_mqtt' })).toMatchObject({ reason: 'move_asked' });
    await settled('mqtt');
    await check('mqtt');
    await works();
    await automated();
    await remembers();
    // The device is the one that it was before, and so what names it.
    const [now] = await registeredOf(client, panel);
    expect(now?.deviceId).toBe(before.deviceId);
    await client.post('/api/events/moving_by_device', {});
    await until('it gets darker', async () => (await agent.sensors()).brightness === 55);
  });
});

/** In the own Home Assistant alone. */
const leaves = amount<readonly Surface[]>([], ['native']);

describe('a broker that is away', () => {
  it('keeps the panel from leaving it', async () => {
    cable.cut();
    await until('the broker is away', async () => (await agent.status()).mqtt?.phase !== 'connected');
    const refused = await move('native');
    expect(refused).toMatchObject({ code: 409, answer: { error: 'broker-away' } });
    expect(await document()).toMatchObject({ surface: 'mqtt', moving: null });
    cable.join();
    await agent.publishing('live');
    await check('mqtt');
  });

  // Home Assistant takes five seconds for what stays, and warns of it.
  it.each(leaves)('is left if a person says so, and has them all back from %s', async (from) => {
    cable.cut();
    await until('the broker is away', async () => (await agent.status()).mqtt?.phase !== 'connected');
    const left = await move('native', { leave: true });
    expect(left).toMatchObject({ code: 200, answer: { status: 'moved', applied: true } });
    expect(left.answer.stays).not.toEqual([]);
    expect(left.answer.notes.join()).toContain('at the broker');
    cable.join();
    await settled(from);
    const [found, ...more] = await registeredOf(client, panel);
    expect([found?.platform, more.length, found?.device, found?.entities]).toEqual([
      'sconce',
      0,
      before.device,
      before.entities,
    ]);
    expect((await document()).stays).toEqual(left.answer.stays);
    await works();
    const done = await move('mqtt');
    expect(done).toMatchObject({ code: 200, answer: { status: 'moved', applied: true, stays: [] } });
    await check('mqtt');
    await works();
  });
});

// Holding the screen takes seconds.
describe.each(leaves)('a move in Hardened mode, to %s', (to) => {
  const repair = async (): Promise<void> => {
    const { issues } = await client.call<{
      readonly issues: readonly { readonly domain: string; readonly issue_id: string }[];
    }>('repairs/list_issues');
    const issue = issues.find(({ issue_id: id }) => id === `${entry}_on_broker`);
    const form = await client.post<FlowStep>('/api/repairs/issues/fix', {
      handler: 'sconce',
      issue_id: issue?.issue_id,
    });
    expect(form).toMatchObject({ type: 'form', step_id: 'confirm' });
    const done = await client.post<FlowStep>(`/api/repairs/issues/fix/${form.flow_id}`, {});
    expect(done).toMatchObject({ type: 'abort', reason: 'move_asked' });
  };

  it('waits for a person at the panel', async () => {
    await switchMode(agent, 'hardened');
    await repair();
    const question = await asked(agent);
    await answer(agent, question, 'deny');
    await settled('mqtt');
    await until('that question is gone', async () => (await questionAt(agent)) === null);
    expect(await document()).toMatchObject({ surface: 'mqtt', moving: null });
    await repair();
    await approve(agent, 'operation');
    const from = performance.now();
    await settled(to);
    told.push(`again in ${Math.round(performance.now() - from)} ms`);
    await check(to);
    await switchMode(agent, 'relaxed');
  });
});

const steps = ['prepare', 'withdraw', 'commit', 'apply'] as const;
const rankOf = (step: string | undefined): number =>
  step === undefined ? -1 : steps.findIndex((one) => one === step || (one === 'withdraw' && step === 'release'));

type Victim = 'panel' | 'home' | 'both' | 'home, in order';
const victims = amount<readonly Victim[]>(['panel'], ['panel', 'panel', 'home', 'home', 'both', 'home, in order']);

/** Each step for each of them, in an order and at moments that follow from the seed. */
function kills() {
  const draw = drawn(seed);
  return steps
    .flatMap((step) => victims.map((victim) => ({ step, victim, place: draw() })))
    .toSorted((a, b) => a.place - b.place)
    .map(({ step, victim }, index) => ({ number: index + 1, step, victim, laterMs: Math.floor(draw() * 60) }));
}

/** Ends one or both, at once; returns once both are there again. */
async function kill(victim: Victim): Promise<void> {
  const ends: Promise<unknown>[] = [];
  if (victim === 'panel' || victim === 'both') ends.push(agent.kill());
  if (victim === 'home' || victim === 'both') ends.push(at.own?.kill() ?? Promise.resolve());
  if (victim === 'home, in order') ends.push(at.own?.terminate() ?? Promise.resolve());
  await Promise.all(ends);
  await Promise.all([agent.runs || agent.startAgain(), victim === 'panel' || at.own?.startAgain()]);
  if (victim === 'panel') return;
  await look();
  // Automations begin only then.
  await until('it runs', async () => (await client.call<{ readonly state: string }>('get_config')).state === 'RUNNING');
}

describe.each(kills())('$number: $victim killed at $step', ({ step, victim, laterMs }) => {
  it('leaves one surface, whole', async () => {
    const from = await settled();
    const to = other(from);
    const over = new AbortController();
    let reached = 'none';
    const moved = move(to)
      .catch(() => undefined)
      .finally(() => over.abort());
    while (!over.signal.aborted) {
      const { moving } = await document();
      reached = moving?.step ?? reached;
      if (rankOf(moving?.step) >= steps.indexOf(step)) break;
    }
    await pause(laterMs);
    const moment = `${victim} to ${to} at ${reached} +${laterMs} ms${over.signal.aborted ? ', over' : ''}`;
    await kill(victim);
    await moved;
    const began = performance.now();
    const surface = await settled();
    await check(surface, { mayHaveWill: true });
    told.push(`${moment}: ${surface} after ${Math.round(performance.now() - began)} ms`);
    await works();
    await automated();
    await remembers();
  }, 180_000);
});

describe('without a Home Assistant that is paired', () => {
  it('the panel is on the broker again', async () => {
    if ((await settled()) === 'mqtt') await move('native');
    // The last kill may have left one.
    await check('native', { mayHaveWill: true });
    const [paired] = (await document()).clients;
    const { code } = await agent.post('/api/v1/companion/revoke', { key_id: paired?.key_id });
    expect(code).toBe(200);
    await until('it is on the broker', async () => {
      const { surface, moving, clients } = await document();
      return surface === 'mqtt' && moving === null && clients.length === 0;
    });
    await agent.publishing('live');
    await check('mqtt');
    await works();
  });

  it.each(leaves)('it is there again too, once the integration is removed from %s', async (from) => {
    await client.remove(`/api/config/config_entries/entry/${entry}`);
    ({ entry_id: entry } = await addPanel(client, agent));
    await settled('mqtt');
    await move(from);
    await check(from);
    await client.remove(`/api/config/config_entries/entry/${entry}`);
    await check('mqtt');
    await works();
  });
});
