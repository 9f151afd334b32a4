import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { exposableSettings } from '#machines/settings.ts';
import {
  type EntityEntry,
  type EntityState,
  type FlowStep,
  HomeClient,
  type LogEntry,
} from './home-assistant/client.ts';
import { Agent } from './kit/agent.ts';
import { answer, asked, flow, pair, questionAt } from './kit/paired.ts';
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
/** Why a call failed, in the words that a person sees; null if it did not. */
const refusalOf = (call: Promise<unknown>): Promise<string | null> =>
  call.then(
    () => null,
    (error: unknown) => String(error).replace(/^Error: call_service: \w+ /, ''),
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
  // Retained messages of the broker that all share.
  await broker?.configure({ mqtt_broker: '' });
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
    let ours: ShownPanel | undefined;
    let theirs: ShownPanel | undefined;
    const statesOf = (of: ShownPanel | undefined): object =>
      Object.fromEntries(
        [...(of?.entities.keys() ?? [])]
          .toSorted()
          .map((key) => [key, passing.includes(key) || of?.entities.get(key)?.state]),
      );
    await until('both show the same', async () => {
      ours = await shownPanel(client, states, 'sconce', native.id);
      theirs = await shownPanel(client, states, 'mqtt', twin.id);
      return ours.entities.size > 40 && JSON.stringify(statesOf(ours)) === JSON.stringify(statesOf(theirs));
    }).catch(() => expect(statesOf(ours)).toEqual(statesOf(theirs)));
    expect(ours?.device).toEqual(theirs?.device);
    for (const [key, { registered, attributes }] of theirs?.entities ?? []) {
      const own = ours?.entities.get(key);
      expect([key, own?.registered]).toEqual([key, registered]);
      // What a row measures is each machine's own.
      const named = (all: object): object => (passing.includes(key) ? Object.keys(all) : all);
      expect([key, named(own?.attributes ?? {})]).toEqual([key, named(attributes)]);
    }
  });
});

/** One command for each row that takes any, in an order that works, and how the panel itself shows it. */
const commands: readonly {
  readonly id: string;
  readonly action: string;
  readonly data?: object;
  /** The state afterwards, and attributes. */
  readonly state: string;
  readonly attributes?: object;
  /** What the panel itself says; it is looked at as soon as the call has ended. */
  readonly at?: readonly [(panel: Agent) => Promise<unknown>, unknown];
}[] = [
  {
    id: idOf('light', 'screen'),
    action: 'light.turn_on',
    data: { brightness: 77 },
    state: 'on',
    attributes: { brightness: 77 },
    at: [async (panel) => (await panel.sensors()).brightness, 77],
  },
  {
    id: idOf('light', 'screen'),
    action: 'light.turn_off',
    state: 'off',
    at: [async (panel) => (await panel.sensors()).brightness, 0],
  },
  { id: idOf('light', 'screen'), action: 'light.turn_on', state: 'on', attributes: { brightness: 77 } },
  {
    id: idOf('light', 'led'),
    action: 'light.turn_on',
    data: { rgb_color: [255, 0, 64], brightness: 255 },
    state: 'on',
    attributes: { brightness: 255, rgb_color: [255, 0, 64] },
    at: [async (panel) => (await panel.hardware()).led, { on: true, red: 255, green: 0, blue: 64 }],
  },
  {
    id: idOf('light', 'led'),
    action: 'light.turn_on',
    data: { effect: 'pulse' },
    state: 'on',
    attributes: { effect: 'pulse' },
  },
  { id: idOf('light', 'led'), action: 'light.turn_off', state: 'off' },
  {
    id: idOf('light', 'buttons'),
    action: 'light.turn_on',
    data: { brightness: 90 },
    state: 'on',
    attributes: { brightness: 90 },
    at: [async (panel) => (await panel.hardware()).buttonBacklight, 90],
  },
  ...[1, 2, 3, 4].flatMap((number) => [
    {
      id: idOf('light', `button_led${number}`),
      action: 'light.turn_on',
      state: 'on',
      at: [async (panel: Agent) => (await panel.hardware()).buttonLeds[number - 1], true] as const,
    },
    {
      id: idOf('switch', `relay${number}`),
      action: 'switch.turn_on',
      state: 'on',
      at: [async (panel: Agent) => (await panel.hardware()).relays[number - 1], true] as const,
    },
  ]),
  {
    id: idOf('number', 'volume'),
    action: 'number.set_value',
    data: { value: 30 },
    state: '30',
    at: [async (panel) => (await panel.hardware()).volume.percent, 30],
  },
  ...(
    [
      ['screen_minimum_percent', '5'],
      ['volume_limit_percent', '80'],
      ['temperature_offset', '1.5'],
      ['humidity_offset', '-2'],
    ] as const
  ).map(([key, state]) => ({
    id: idOf('number', key),
    action: 'number.set_value',
    data: { value: Number(state) },
    state,
  })),
  ...['auto_brightness', 'wake_on_wave', 'auto_sleep'].map((key) => ({
    id: idOf('switch', key),
    action: 'switch.turn_on',
    state: 'on',
  })),
  {
    id: idOf('text', 'home_dashboard'),
    action: 'text.set_value',
    data: { value: '/lovelace/hall' },
    state: '/lovelace/hall',
  },
  { id: idOf('select', 'log_level'), action: 'select.select_option', data: { option: 'debug' }, state: 'debug' },
];

describe('each row', () => {
  it.each(commands)('$id does $action, and the call ends once the panel has', async ({ id, ...of }) => {
    const { action, data, state: wanted, attributes = {}, at } = of;
    await client.act(action, id, data);
    if (at !== undefined) expect(await at[0](agent)).toEqual(at[1]);
    await shows(id, ({ state }) => state === wanted || Number(state) === Number(wanted));
    await shows(id, ({ attributes: now }) =>
      Object.entries(attributes).every(([name, value]) => JSON.stringify(now[name]) === JSON.stringify(value)),
    );
  });

  it.each([
    [
      idOf('light', 'led'),
      'light.turn_on',
      { effect: 'disco' },
      /^Validation error: .*: This is not one of the effects\.$/,
    ],
    [
      idOf('text', 'home_dashboard'),
      'text.set_value',
      { value: 'no path' },
      /^Validation error: .*: The path must not hold spaces or backslashes; write a space as %20\.$/,
    ],
  ])('%s refuses %s in the words of the panel', async (id, action, data, words) => {
    const before = stateOf(id);
    expect(await refusalOf(client.act(action, id, data))).toMatch(words);
    expect(stateOf(id)).toEqual(before);
  });

  it('refuses to reboot while it does', async () => {
    const id = idOf('button', 'reboot');
    const calls = [1, 2].map(() => refusalOf(client.act('button.press', id)));
    expect(await Promise.all(calls)).toEqual([null, `${native.name}: A reboot is already in progress. Wait for it.`]);
    expect((await agent.hardware()).reboots).toBe(1);
  });

  it('waits for a person where the panel does, and fails if that is denied', async () => {
    const id = idOf('switch', 'camera_enabled');
    const call = (): Promise<string | null> => refusalOf(client.act('switch.turn_on', id));
    const first = call();
    const question = await asked(agent);
    expect(question.title).toBe('Turn on the camera');
    await answer(agent, question, 'deny');
    expect(await first).toBe(`${native.name}: A person at the panel did not allow it.`);
    expect(stateOf(id)?.state).toBe('off');
    const second = call();
    await answer(agent, await asked(agent, question.id), 'hold');
    expect(await second).toBeNull();
    await shows(id, ({ state }) => state === 'on');
  });

  it('asks at the panel for what Hardened mode protects', async () => {
    const { reboots } = await agent.hardware();
    const id = idOf('button', 'reboot');
    /** Holds the question of that kind, once the panel shows it. */
    const approve = async (kind: string): Promise<void> =>
      answer(
        agent,
        await until(`it asks: ${kind}`, async () => {
          const shown = await questionAt(agent);
          return shown?.kind === kind && shown;
        }),
        'hold',
      );
    const isIn = (mode: string): Promise<unknown> =>
      until(`it is ${mode}`, async () => (await agent.status()).security?.mode === mode);
    await agent.touch({ security_mode: 'hardened' });
    await Promise.all([approve('enter-hardened'), isIn('hardened')]);
    await until('that question is gone', async () => (await questionAt(agent)) === null);
    const call = refusalOf(client.act('button.press', id));
    await approve('operation');
    expect(await call).toBeNull();
    expect((await agent.hardware()).reboots).toBe(reboots + 1);
    await until('that question is gone', async () => (await questionAt(agent)) === null);
    await agent.touch({ security_mode: 'relaxed' });
    await Promise.all([approve('leave-hardened'), isIn('relaxed')]);
  });

  it('shows the picture of the camera, which it fetches from the address that it dialled', async () => {
    const id = idOf('image', 'camera_snapshot');
    await shows(id, ({ state }) => !Number.isNaN(Date.parse(state)));
    const bytes = await client.bytes(`/api/image_proxy/${id}`);
    expect([...bytes.subarray(0, 2)]).toEqual([0xff, 0xd8]);
  });

  it('tells each occurrence once', async () => {
    const id = idOf('event', 'button');
    const told: unknown[] = [];
    await client.subscribe('state_changed', (event) => {
      const { entity_id: of, new_state: now } = event as { entity_id: string; new_state: EntityState | null };
      if (of === id && now !== null) told.push([now.attributes['event_type'], now.attributes['button']]);
    });
    await agent.touch({ hold: 3, down: true });
    await agent.touch({ hold: 3, down: false });
    await until('both were told', () => told.length >= 2);
    await shows(id, ({ attributes }) => attributes['event_type'] === 'release');
    expect(told).toEqual([
      ['press', 'button_3'],
      ['release', 'button_3'],
    ]);
  });

  it('becomes unavailable alone, and is back', async () => {
    const [temperature, light] = [idOf('sensor', 'temperature'), idOf('sensor', 'illuminance')];
    await agent.touch({ plug: 'climate', plugged: false });
    await shows(temperature, ({ state }) => state === 'unavailable');
    expect(stateOf(light)?.state).toBe('120');
    await agent.touch({ plug: 'climate', plugged: true });
    await shows(temperature, ({ state }) => Number(state) === 23);
  });

  it('goes and comes while the connection lasts', async () => {
    const id = idOf('sensor', 'diag_cpu');
    const opened = (await agent.status()).companion?.connected_at;
    const isRegistered = async (): Promise<boolean> =>
      (await client.call<readonly EntityEntry[]>('config/entity_registry/list')).some(({ entity_id: of }) => of === id);
    await agent.configure({ ha_expose_diag_cpu: false });
    await until('it is gone', async () => !states.has(id) && !(await isRegistered()));
    await agent.configure({ ha_expose_diag_cpu: true });
    await shows(id, ({ state }) => state !== 'unavailable');
    expect((await agent.status()).companion?.connected_at).toBe(opened);
  });

  it('follows the name of the panel', async () => {
    await agent.configure({ friendly_name: 'Landing' });
    await shows(idOf('number', 'volume'), ({ attributes }) => attributes['friendly_name'] === 'Landing Volume');
    await agent.configure({ friendly_name: native.name });
    await shows(idOf('number', 'volume'), ({ attributes }) => attributes['friendly_name'] === `${native.name} Volume`);
  });
});

describe('a panel that is gone', () => {
  const available = (): boolean => stateOf(native.entity.volume)?.state !== 'unavailable';

  it('makes a call fail that waits, and is back with what it shows then', async () => {
    const id = idOf('switch', 'camera_enabled');
    await client.act('switch.turn_off', id);
    const call = refusalOf(client.act('switch.turn_on', id));
    await asked(agent);
    await agent.kill();
    expect(await call).toBe(`${native.name} is not connected`);
    expect(available()).toBe(false);
    await agent.startAgain();
    await until('it is back', available);
    // What was asked for before is asked for no more.
    await shows(id, ({ state }) => state === 'off');
    expect(await questionAt(agent)).toBeNull();
  });

  it('that forgot the key has a person pair it again', async () => {
    await agent.stop();
    agent = await Agent.start({}, agent.port);
    await agent.configure({ panel_id: native.id, friendly_name: native.name, entity_surface: 'native' });
    const [again] = await until('a person is asked', async () => {
      const open =
        await client.call<readonly (FlowStep & { readonly context: { readonly source: string } })[]>(
          'config_entries/flow/progress',
        );
      const found = open.filter(({ context }) => context.source === 'reauth');
      return found.length > 0 && found;
    });
    if (again === undefined) throw new Error('no flow');
    const digits = await flow.next(client, again, {});
    const done = await pair(client, agent, digits);
    expect(done).toMatchObject({ type: 'abort', reason: 'reauth_successful' });
    await until('it is back', available);
    await client.act('number.set_value', native.entity.volume, { value: 17 });
    expect((await agent.hardware()).volume.percent).toBe(17);
  });
});

describe('afterwards', () => {
  it('Home Assistant has logged nothing of the integration', async () => {
    const log = await client.call<readonly LogEntry[]>('system_log/list');
    const own = log.filter(({ name, message }) => `${name} ${message.join()}`.includes('sconce'));
    // It warns of every integration that is not its own.
    expect(own.filter(({ message }) => !message.join().includes('has not been tested'))).toEqual([]);
  });

  it('the panel forgets a Home Assistant that has removed it', async () => {
    await client.remove(`/api/config/config_entries/entry/${entry}`);
    await until('the key is gone', async () => (await agent.status()).companion?.state === 'off');
    expect([...states.keys()].filter((id) => id.includes(`.${native.id}_`))).toEqual([]);
  });
});
