import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { exposableSettings } from '#machines/settings.ts';
import { type EntityState, HomeClient } from './home-assistant/client.ts';
import { Agent } from './kit/agent.ts';
import { addPanel, answer, asked, flow, pair } from './kit/paired.ts';
import { join, panelCalled } from './kit/panel.ts';
import { shownPanel, type ShownPanel } from './kit/twin.ts';
import { until } from './kit/until.ts';

/** One panel by the integration, and its twin by the broker, in the same Home Assistant. */
const [native, twin] = [panelCalled('paired_hall', 'Paired hall'), panelCalled('paired_twin', 'Paired hall')];
/** Rows whose value is each machine's own, or passes. */
const passing = ['storage_health', 'diag_cpu', 'diag_memory'];

const shared = inject('homeAssistant');
let client: HomeClient;
let states: ReadonlyMap<string, EntityState>;
let agent: Agent;
let broker: Agent;
let entry: string;

const idOf = (domain: string, key: string): string => `${domain}.${native.id}_${key}`;
const stateOf = (id: string): EntityState | undefined => states.get(id);
const shows = (id: string, check: (state: EntityState) => boolean, withinMs?: number): Promise<unknown> =>
  until(
    `${id} shows it`,
    () => {
      const state = stateOf(id);
      return state !== undefined && check(state);
    },
    withinMs,
  ).catch((error: unknown) => {
    throw new Error(`${String(error)}, but ${JSON.stringify(stateOf(id))}`, { cause: error });
  });
/** Why a call failed, in the words that a person sees. */
const refusalOf = (call: Promise<void>): Promise<string> =>
  call.then(
    () => 'it did not fail',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

/** Shows every row that there is. */
const exposeAll = (panel: Agent): Promise<void> =>
  panel.configure(Object.fromEntries(exposableSettings.map(({ key }) => [`ha_expose_${key}`, true])));

beforeAll(async () => {
  client = await HomeClient.open(shared.url, shared.token);
  states = await client.states();
  [agent, broker] = await Promise.all([Agent.start(), Agent.start()]);
});

afterAll(async () => {
  if (entry !== undefined) await client.remove(`/api/config/config_entries/entry/${entry}`);
  await Promise.all([agent?.stop(), broker?.stop()]);
  client?.close();
});

describe('a panel is added by hand', () => {
  it('shows new digits after wrong ones, and is paired by its own and a touch', async () => {
    await agent.configure({ panel_id: native.id, friendly_name: native.name, entity_surface: 'native' });
    const form = await flow.begin(client);
    expect([form.step_id, form.data_schema?.map(({ name }) => name)]).toEqual(['user', ['host', 'port']]);
    const digits = await flow.next(client, form, { host: '127.0.0.1', port: agent.port });
    expect(digits).toMatchObject({ step_id: 'digits', description_placeholders: { name: native.name } });
    const first = await asked(agent);
    expect(first).toMatchObject({
      title: 'Pair Home Assistant',
      consequence: expect.stringContaining('Approve only once Home Assistant has accepted these digits.'),
      code: expect.stringMatching(/^\d{6}$/),
    });
    const other = first.code === '000000' ? '000001' : '000000';
    const again = await flow.next(client, digits, { digits: other });
    expect(again).toMatchObject({ step_id: 'digits', errors: { base: 'wrong_digits' } });
    const second = await asked(agent, first.id);
    expect(second.code).not.toBe(first.code);
    const done = await pair(client, agent, again);
    expect(done).toMatchObject({ type: 'create_entry', title: native.name });
    entry = done.result?.entry_id ?? '';
    await shows(native.entity.screen, ({ state }) => state === 'on');
    expect((await agent.status()).companion).toMatchObject({ state: 'connected', sessions: 1, life: 'running' });
  });

  it('is the same device with the same entities as over the broker', async () => {
    await join(broker, twin, shared.brokerPort);
    await Promise.all([exposeAll(agent), exposeAll(broker)]);
    let [ours, theirs]: readonly (ShownPanel | undefined)[] = [];
    const rows = ({ entities }: ShownPanel): string => [...entities.keys()].toSorted().join();
    await until('both are there', async () => {
      ours = await shownPanel(client, states, 'sconce', native.id);
      theirs = await shownPanel(client, states, 'mqtt', twin.id);
      return ours.entities.size > 30 && rows(ours) === rows(theirs);
    }).catch(() => expect(rows(ours!)).toBe(rows(theirs!)));
    expect(ours?.device).toEqual(theirs?.device);
    for (const [key, { registered, attributes }] of theirs?.entities ?? []) {
      const own = ours?.entities.get(key);
      expect([key, own?.registered]).toEqual([key, registered]);
      // What a row measures is each machine's own.
      const named = (all: object): object => (passing.includes(key) ? Object.keys(all) : all);
      expect([key, named(own?.attributes ?? {})]).toEqual([key, named(attributes)]);
    }
    const differing = [...(theirs?.entities ?? [])].filter(
      ([key, { state }]) => !passing.includes(key) && ours?.entities.get(key)?.state !== state,
    );
    expect(differing.map(([key, { state }]) => [key, state, ours?.entities.get(key)?.state])).toEqual([]);
  });
});

/** One command for each row that takes any, in an order that works, and how the panel itself shows it. */
const commands: readonly {
  readonly id: string;
  readonly action: string;
  readonly data?: object;
  /** The state afterwards, and attributes. */
  readonly then: string;
  readonly attributes?: object;
  /** What the panel itself says; it is looked at as soon as the call has ended. */
  readonly at?: readonly [(panel: Agent) => Promise<unknown>, unknown];
}[] = [
  {
    id: idOf('light', 'screen'),
    action: 'light.turn_on',
    data: { brightness: 77 },
    then: 'on',
    attributes: { brightness: 77 },
    at: [async (panel) => (await panel.sensors()).brightness, 77],
  },
  {
    id: idOf('light', 'screen'),
    action: 'light.turn_off',
    then: 'off',
    at: [async (panel) => (await panel.sensors()).brightness, 0],
  },
  { id: idOf('light', 'screen'), action: 'light.turn_on', then: 'on', attributes: { brightness: 77 } },
  {
    id: idOf('light', 'led'),
    action: 'light.turn_on',
    data: { rgb_color: [255, 0, 64], brightness: 255 },
    then: 'on',
    attributes: { brightness: 255, rgb_color: [255, 0, 64] },
    at: [async (panel) => (await panel.hardware()).led, { on: true, red: 255, green: 0, blue: 64 }],
  },
  {
    id: idOf('light', 'led'),
    action: 'light.turn_on',
    data: { effect: 'pulse' },
    then: 'on',
    attributes: { effect: 'pulse' },
  },
  { id: idOf('light', 'led'), action: 'light.turn_off', then: 'off' },
  {
    id: idOf('light', 'buttons'),
    action: 'light.turn_on',
    data: { brightness: 90 },
    then: 'on',
    attributes: { brightness: 90 },
    at: [async (panel) => (await panel.hardware()).buttonBacklight, 90],
  },
  ...[1, 2, 3, 4].flatMap((number) => [
    {
      id: idOf('light', `button_led${number}`),
      action: 'light.turn_on',
      then: 'on',
      at: [async (panel: Agent) => (await panel.hardware()).buttonLeds[number - 1], true] as const,
    },
    {
      id: idOf('switch', `relay${number}`),
      action: 'switch.turn_on',
      then: 'on',
      at: [async (panel: Agent) => (await panel.hardware()).relays[number - 1], true] as const,
    },
  ]),
  {
    id: idOf('number', 'volume'),
    action: 'number.set_value',
    data: { value: 30 },
    then: '30',
    at: [async (panel) => (await panel.hardware()).volume.percent, 30],
  },
  ...(
    [
      ['screen_minimum_percent', '5'],
      ['volume_limit_percent', '80'],
      ['temperature_offset', '1.5'],
      ['humidity_offset', '-2'],
    ] as const
  ).map(([key, then]) => ({
    id: idOf('number', key),
    action: 'number.set_value',
    data: { value: Number(then) },
    then,
  })),
  ...['auto_brightness', 'wake_on_wave', 'auto_sleep'].map((key) => ({
    id: idOf('switch', key),
    action: 'switch.turn_on',
    then: 'on',
  })),
  {
    id: idOf('text', 'home_dashboard'),
    action: 'text.set_value',
    data: { value: '/lovelace/hall' },
    then: '/lovelace/hall',
  },
  { id: idOf('select', 'log_level'), action: 'select.select_option', data: { option: 'debug' }, then: 'debug' },
];

describe('each row', () => {
  it.each(commands)('$id does $action, and the call ends once the panel has', async ({ id, ...of }) => {
    const { action, data, then, attributes = {}, at } = of;
    await client.act(action, id, data);
    if (at !== undefined) expect(await at[0](agent)).toEqual(at[1]);
    await shows(id, ({ state }) => state === then || Number(state) === Number(then));
    await shows(id, ({ attributes: now }) =>
      Object.entries(attributes).every(([name, value]) => JSON.stringify(now[name]) === JSON.stringify(value)),
    );
  });

  it('refuses in the words of the panel', async () => {
    for (const [id, action, data] of [
      [idOf('light', 'led'), 'light.turn_on', { effect: 'disco' }],
      [idOf('number', 'volume'), 'number.set_value', { value: 30.5 }],
      [idOf('number', 'volume'), 'number.set_value', { value: 101 }],
      [idOf('number', 'volume_limit_percent'), 'number.set_value', { value: 30.5 }],
      [idOf('number', 'screen_minimum_percent'), 'number.set_value', { value: 30.5 }],
      [idOf('text', 'home_dashboard'), 'text.set_value', { value: 'no path' }],
      [idOf('select', 'log_level'), 'select.select_option', { option: 'loud' }],
      [idOf('text', 'navigate'), 'text.set_value', { value: '/lovelace' }],
    ] as const)
      console.log(id, data, await refusalOf(client.act(action, id, data)));
    const first = refusalOf(client.act('button.press', idOf('button', 'reboot')));
    const second = refusalOf(client.act('button.press', idOf('button', 'reboot')));
    console.log(await first, await second, (await agent.hardware()).reboots);
    for (const id of [idOf('switch', 'camera_enabled'), idOf('switch', 'voice_assistant')]) {
      const call = refusalOf(client.act('switch.turn_on', id));
      const question = await asked(agent);
      await answer(agent, question, 'deny');
      console.log(id, question, await call);
    }
    const call = refusalOf(client.act('switch.turn_on', idOf('switch', 'camera_enabled')));
    await answer(agent, await asked(agent), 'hold');
    console.log(await call, states.get(idOf('switch', 'camera_enabled')));
    await new Promise((r) => setTimeout(r, 2000));
    console.log(states.get(idOf('image', 'camera_snapshot')));
  });
});
