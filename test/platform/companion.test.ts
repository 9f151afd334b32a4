import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { exposableSettings } from '#machines/settings.ts';
import {
  type EntityEntry,
  type EntityState,
  HomeClient,
  type LogEntry,
  type RepairIssue,
} from './home-assistant/client.ts';
import { Agent } from './kit/agent.ts';
import { Cable } from './kit/cable.ts';
import { answer, approve, asked, flow, pair, type Question, questionAt, switchMode } from './kit/paired.ts';
import { join as joinBroker, panelCalled } from './kit/panel.ts';
import {
  type Action,
  changeOf,
  isTrue,
  type Item,
  openRaw,
  type RawSession,
  takesCommands,
  valueOf,
  wrongAction,
  wrongFor,
} from './kit/refusals.ts';
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
/** The way from Home Assistant to the panel. */
let cable: Cable;
/** What Home Assistant would not send, reaches the panel by this session. */
let raw: RawSession;
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

/** The repairs of this panel in Home Assistant. */
const repairs = async () =>
  (await client.call<{ readonly issues: readonly RepairIssue[] }>('repairs/list_issues')).issues.filter(
    ({ domain, translation_placeholders: words }) => domain === 'sconce' && words?.['panel'] === native.name,
  );
const titles = async () => (await repairs()).map(({ translation_placeholders: words }) => words?.['title']);
const areThere = (...wanted: readonly string[]) =>
  until(
    `the repairs are ${wanted.join()}`,
    async () => JSON.stringify(await titles()) === JSON.stringify(wanted),
  ).catch(async () => expect(await titles()).toEqual(wanted));

/** The question that was denied; the panel shows its end for some seconds. */
let denied: Question | null = null;
/** Waits until the panel asks a person about the camera. */
const askedForCamera = (): Promise<Question> =>
  until('it asks about the camera', async () => {
    const shown = await questionAt(agent);
    return shown?.title === 'Turn on the camera' && shown.id !== denied?.id && shown;
  }) as Promise<Question>;

/** Shows every row that there is. */
const exposeAll = (panel: Agent): Promise<void> =>
  panel.configure(Object.fromEntries(exposableSettings.map(({ key }) => [`ha_expose_${key}`, true])));

beforeAll(async () => {
  client = await HomeClient.open(shared.url, shared.token);
  states = await client.states();
  [agent, broker] = await Promise.all([Agent.start(), Agent.start()]);
  cable = await Cable.to(agent.port);
});

afterAll(async () => {
  // Retained messages of the broker that all share.
  await broker?.configure({ mqtt_broker: '' });
  await cable?.end();
  await Promise.all([agent?.stop(), broker?.stop()]);
  client?.close();
});

describe('a panel is added by hand', () => {
  it('shows new digits after wrong ones, and is paired by its own and a touch', async () => {
    await agent.configure({ panel_id: native.id, friendly_name: native.name, entity_surface: 'native' });
    const form = await flow.begin(client);
    expect([form.step_id, form.data_schema?.map(({ name }) => name)]).toEqual(['user', ['host', 'port']]);
    const digits = await flow.next(client, form, { host: '127.0.0.1', port: cable.port });
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
    await joinBroker(broker, twin, shared.brokerPort);
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
  // The panel shows the end of that question for some seconds.
  beforeAll(async () => {
    raw = await openRaw(agent);
  });

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
});

describe('each row of the catalogue', () => {
  /** Those that take commands. */
  let rows: readonly Item[];
  const entityOf = ({ platform, object_id: key }: Item): string => idOf(platform, key);
  const stateNow = (row: Item): EntityState => stateOf(entityOf(row)) ?? { state: 'missing', attributes: {} };
  const isAway = (row: Item): boolean => stateNow(row).state === 'unavailable';
  /** Those that Home Assistant does not show as the panel does. */
  const untrue = (): readonly string[] =>
    rows.filter((row) => !isTrue(row, raw.shown(row.k), stateNow(row))).map(({ k }) => k);
  const call = (row: Item, { action, data }: Action): Promise<string | null> =>
    refusalOf(client.act(action, entityOf(row), data));
  /** What the panel says of its parts. */
  const details = async (): Promise<readonly string[]> =>
    (await agent.status()).capabilities.map(({ detail }) => detail);

  beforeAll(() => {
    rows = raw.items.filter(takesCommands);
  });

  it('refuses a value that it cannot have, and one that only reports refuses any', async () => {
    const before = rows.map(stateNow);
    for (const row of raw.items) {
      const { value, code } = wrongFor(row);
      const { ok, message = '', ...result } = await raw.set(row.k, value);
      expect([row.k, ok, result.code, message]).toEqual([row.k, false, code, expect.stringMatching(/^[A-Z].*\.$/)]);
      // Home Assistant looks at most of them itself, before the panel does.
      const action = wrongAction(row);
      if (action !== null && !isAway(row)) expect([row.k, await call(row, action)]).not.toEqual([row.k, null]);
    }
    expect([untrue(), rows.map(stateNow)]).toEqual([[], before]);
  });

  it('refuses while it is not available, for which Home Assistant passes nothing on', async () => {
    const away = rows.filter(isAway);
    const known = await details();
    for (const row of away) {
      expect([row.k, await call(row, changeOf(row, stateNow(row)))]).toEqual([row.k, null]);
      const { ok, message = '' } = await raw.set(row.k, valueOf(row));
      expect([row.k, ok, known.includes(message), message]).toEqual([row.k, false, true, message]);
    }
    // Without a browser there is no dashboard.
    expect([away.map(({ k }) => k), untrue()]).toEqual([['navigate', 'reload'], []]);
  });

  it('refuses in the words of the panel, in Home Assistant, what the panel cannot do just now', async () => {
    const there = rows.filter((row) => !isAway(row));
    const onParts = there.filter(({ k, platform, category }) => {
      const isHardware = platform === 'light' || (platform === 'switch' && category === undefined);
      return isHardware && k !== 'screen';
    });
    const plug = async (plugged: boolean): Promise<void> => {
      for (const part of ['led', 'button_backlight', 'button_leds', 'relays'])
        await agent.touch({ plug: part, plugged });
      await until('the panel knows', () => onParts.every(({ k }) => raw.shown(k)?.available === plugged));
    };
    const refused = async (): Promise<number> => (await agent.status()).companion?.refused_commands ?? 0;
    const before = await refused();
    /** Nothing of the simulated panel keeps these from being done: they refuse values alone. */
    const done = ['screen', 'volume'];
    // Settings are written under this name, which no file can have meanwhile.
    const taken = join(agent.data, 'state.json.next');
    // What the panel lost a moment ago is still there for Home Assistant.
    cable.hold();
    try {
      await plug(false);
      mkdirSync(taken);
      const calls = there.map(async (row): Promise<readonly [string, string | null]> => {
        const action = changeOf(row, stateNow(row));
        // A button refuses to be pressed again meanwhile.
        const presses = [call(row, action), ...(row.platform === 'button' ? [call(row, action)] : [])];
        return [row.k, (await Promise.all(presses)).at(-1) ?? null];
      });
      denied = await askedForCamera();
      await answer(agent, denied, 'deny');
      // Who did not is found below.
      await until(
        'the panel has refused them',
        async () => (await refused()) === before + there.length - done.length,
        5000,
      ).catch(() => {});
      const said = [
        ...(await details()),
        'The setting could not be written to the disk.',
        'A person at the panel did not allow it.',
        'A reboot is already in progress. Wait for it.',
      ].map((sentence) => `${native.name}: ${sentence}`);
      cable.release();
      const ends = await Promise.all(calls);
      expect(ends.filter(([, words]) => !said.includes(words ?? ''))).toEqual(done.map((key) => [key, null]));
      expect((await agent.hardware()).reboots).toBe(1);
      await until('Home Assistant shows what is', () => untrue().length === 0);
      expect(onParts.filter((row) => !isAway(row))).toEqual([]);
      await areThere('Free up disk space');
    } finally {
      cable.release();
      rmSync(taken, { recursive: true, force: true });
      await plug(true);
    }
    await until('Home Assistant shows what is', () => untrue().length === 0);
  });

  it('does what it is told again', async () => {
    for (const row of rows.filter(({ platform, category }) => platform === 'number' && category === 'config')) {
      const before = stateNow(row);
      const back = { action: 'number.set_value', data: { value: Number(before.state) } };
      for (const action of [changeOf(row, before), back])
        expect([row.k, await call(row, action)]).toEqual([row.k, null]);
    }
    await until('Home Assistant shows what is', () => untrue().length === 0);
    await raw.bye('removed');
  });
});

describe('a row', () => {
  it('waits for a person where the panel does', async () => {
    const id = idOf('switch', 'camera_enabled');
    expect(stateOf(id)?.state).toBe('off');
    const call = refusalOf(client.act('switch.turn_on', id));
    await answer(agent, await askedForCamera(), 'hold');
    expect(await call).toBeNull();
    await shows(id, ({ state }) => state === 'on');
  });

  it('asks at the panel for what Hardened mode protects', async () => {
    const { reboots } = await agent.hardware();
    const id = idOf('button', 'reboot');
    await switchMode(agent, 'hardened');
    const call = refusalOf(client.act('button.press', id));
    await approve(agent, 'operation');
    expect(await call).toBeNull();
    expect((await agent.hardware()).reboots).toBe(reboots + 1);
    await until('that question is gone', async () => (await questionAt(agent)) === null);
    await switchMode(agent, 'relaxed');
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

describe('what needs a person', () => {
  it('is a repair in Home Assistant in the words of the panel, until it is done', async () => {
    // That of the settings is over with a look at the disk, and a save.
    await areThere();
    await agent.touch({ zigbee: { running: false } });
    await areThere('Get Zigbee gateway working');
    expect(await repairs()).toMatchObject([
      {
        severity: 'warning',
        is_fixable: false,
        learn_more_url: expect.stringMatching(/^http:/),
        translation_key: 'panel_issue',
        translation_placeholders: { panel: native.name, text: 'The Zigbee gateway is not running.' },
      },
    ]);
    await agent.touch({ zigbee: { running: true } });
    await areThere();
  });
});

describe('a panel that is gone', () => {
  const available = (): boolean => stateOf(native.entity.volume)?.state !== 'unavailable';

  it('makes a call fail that waits, and is back with what it shows then', async () => {
    const id = idOf('switch', 'camera_enabled');
    await client.act('switch.turn_off', id);
    await agent.touch({ zigbee: { running: false } });
    await areThere('Get Zigbee gateway working');
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
    // Nothing is told of what is over since.
    await areThere();
  });

  /** Waits until Home Assistant asks a person to pair it again, and does that. */
  const pairAgain = async (): Promise<void> => {
    const again = await until('a person is asked', () => flow.again(client, entry));
    const done = await pair(client, agent, await flow.next(client, again, {}));
    expect(done).toMatchObject({ type: 'abort', reason: 'reauth_successful' });
  };

  it('whose key was revoked has a person pair it again, and each row returns as it was', async () => {
    const rows = async (): Promise<readonly string[]> =>
      (await client.call<readonly EntityEntry[]>('config/entity_registry/list'))
        .filter(({ unique_id: of }) => of.startsWith(`sconce_${native.id}_`))
        .map(({ id, entity_id: name, unique_id: of, device_id: device }) => [of, name, id, device].join(' '))
        .toSorted();
    /** Rows that show something: some of this panel never do. */
    const shown = (): readonly string[] =>
      [...states].flatMap(([id, { state }]) => (id.includes(`.${native.id}_`) && state !== 'unavailable' ? [id] : []));
    const before = await rows();
    const shownBefore = shown();
    const { clients } = JSON.parse(await agent.text('/api/v1/companion')) as {
      readonly clients: readonly { readonly key_id: string }[];
    };
    const [first] = clients;
    expect((await agent.post('/api/v1/companion/revoke', { key_id: first?.key_id })).code).toBe(200);
    await until('they are unavailable', () => !available());
    await pairAgain();
    await until('it is back', available);
    expect(shownBefore.length).toBeGreaterThan(30);
    expect(await rows()).toEqual(before);
    expect(shown()).toEqual(expect.arrayContaining([...shownBefore]));
  });

  it('that forgot the key has a person pair it again', async () => {
    await agent.stop();
    agent = await Agent.start({}, agent.port);
    await agent.configure({ panel_id: native.id, friendly_name: native.name, entity_surface: 'native' });
    await pairAgain();
    await until('it is back', available);
    await client.act('number.set_value', native.entity.volume, { value: 17 });
    expect((await agent.hardware()).volume.percent).toBe(17);
  });
});

describe('afterwards', () => {
  it('Home Assistant has logged nothing of the integration', async () => {
    const log = await client.call<readonly LogEntry[]>('system_log/list');
    const own = log.filter(({ name, message }) => `${name} ${message.join()}`.includes('sconce'));
    // It warns of every integration that is not its own; the others are of another panel.
    const isOthers = (text: string): boolean =>
      ['has not been tested', 'Moving hall: ', 'sconce_moving_hall'].some((of) => text.includes(of));
    expect(own.filter(({ message }) => !isOthers(message.join()))).toEqual([]);
  });

  it('the panel forgets a Home Assistant that has removed it', async () => {
    await client.remove(`/api/config/config_entries/entry/${entry}`);
    await until('the key is gone', async () => (await agent.status()).companion?.state === 'off');
    expect([...states.keys()].filter((id) => id.includes(`.${native.id}_`))).toEqual([]);
  });
});
