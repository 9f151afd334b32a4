import { describe, expect, it } from 'vitest';

import type { Answer, Ask } from '#drivers/home-assistant/bounded.ts';
import { sourceOf } from '#drivers/home-assistant/topics.ts';
import type { Reading } from '#machines/home-assistant/events.ts';

type Command = Parameters<Ask>[0];
type Listed = Exclude<
  Parameters<typeof sourceOf>[0]['kind'],
  'dashboard' | 'own-device' | 'light-history' | 'area-presence' | 'state-history'
>;

const refused = (code: string | null): Answer<unknown> => ({ ok: false, code });
/** Reads a topic of a Home Assistant that gives these answers by command, and refuses every other one. */
async function read(
  topic: Parameters<typeof sourceOf>[0],
  results: Readonly<Record<string, Answer<unknown>>>,
): Promise<{ readonly reading: Reading | null; readonly asked: readonly Command[] }> {
  const asked: Command[] = [];
  const ask: Ask = (command) => {
    asked.push(command);
    return Promise.resolve(results[command.type] ?? refused('unknown_command'));
  };
  return { reading: await sourceOf(topic).read(ask, () => Promise.resolve({}), 0), asked };
}
const is = (value: unknown): Answer<unknown> => ({ ok: true, value });
const many = <T>(count: number, row: (at: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, at) => row(at));

describe('a list', () => {
  it.each<[Listed, string, unknown, unknown]>([
    [
      'light-sensors',
      'get_states',
      [
        { entity_id: 'light.one', state: 'on', attributes: {} },
        {
          entity_id: 'sensor.hall_light',
          state: '120.5',
          attributes: { friendly_name: 'Hall light', device_class: 'illuminance', unit_of_measurement: 'lx' },
          last_updated: '2026-11-26T11:25:05.500000+00:00',
        },
      ],
      {
        sensors: [
          {
            entityId: 'sensor.hall_light',
            name: 'Hall light',
            unit: 'lx',
            lux: 120.5,
            updatedAt: Date.UTC(2026, 10, 26, 11, 25, 5, 500),
          },
        ],
      },
    ],
    [
      'place',
      'get_config',
      { latitude: 52.3731, longitude: 4.8903, time_zone: 'Europe/Amsterdam', location_name: 'Somewhere' },
      { latitude: 52.4, longitude: 4.9, timeZone: 'Europe/Amsterdam' },
    ],
    [
      'areas',
      'config/area_registry/list',
      [
        { area_id: 'hall', name: 'Hall', floor_id: 'ground', labels: ['a', 7, ''] },
        { area_id: 'attic', name: 'Attic', floor_id: null, labels: null },
        { area_id: 'nameless' },
      ],
      {
        areas: [
          { id: 'hall', name: 'Hall', floorId: 'ground', labels: ['a'] },
          { id: 'attic', name: 'Attic', floorId: null, labels: [] },
        ],
      },
    ],
    [
      'floors',
      'config/floor_registry/list',
      [{ floor_id: 'ground', name: 'Ground', level: 0 }, { name: 'x' }, 'nonsense'],
      { floors: [{ id: 'ground' }] },
    ],
    [
      'entities',
      'config/entity_registry/list',
      [{ entity_id: 'light.one', area_id: null, device_id: 'd', labels: ['a', 'b'] }, { device_id: 'd' }],
      { entities: [{ entityId: 'light.one', areaId: null, deviceId: 'd', labels: ['a', 'b'] }] },
    ],
    [
      'devices',
      'config/device_registry/list',
      [{ id: 'd', area_id: 'hall', identifiers: [['mqtt', 'x'], ['odd'], [1, 2]], labels: ['a'] }],
      { devices: [{ id: 'd', areaId: 'hall', identifiers: [['mqtt', 'x']], labels: ['a'] }] },
    ],
    [
      'dashboards',
      'get_panels',
      {
        a: { component_name: 'lovelace', url_path: 'kitchen-panel', title: 'Kitchen' },
        b: { component_name: 'history', url_path: 'history', title: 'History' },
      },
      { dashboards: [{ path: 'kitchen-panel', title: 'Kitchen' }], sections: ['kitchen-panel', 'history'] },
    ],
    [
      'pipelines',
      'assist_pipeline/pipeline/list',
      {
        pipelines: [
          { id: 'p1', name: 'Home\u202E', stt_engine: 'stt.one', tts_engine: 'tts.one', language: 'en' },
          { id: 'p2', name: '', stt_engine: null, tts_engine: null },
          { id: 'p3', stt_engine: 'stt.one' },
          { name: 'without an id' },
          'nonsense',
        ],
        preferred_pipeline: 'p2',
      },
      {
        pipelines: [
          { id: 'p1', name: 'Home', hears: true, speaks: true },
          { id: 'p2', name: 'p2', hears: false, speaks: false },
          { id: 'p3', name: 'p3', hears: true, speaks: false },
        ],
        preferred: 'p2',
      },
    ],
    ['account', 'auth/current_user', { id: 'user-1', name: 'Somebody', is_admin: false }, { userId: 'user-1' }],
    [
      'entity-ids',
      'get_states',
      [
        { entity_id: 'light.one', state: 'on', attributes: { friendly_name: 'Hall light' } },
        { entity_id: 'sun.sun', attributes: { friendly_name: 7 } },
        {},
      ],
      { entityIds: ['light.one', 'sun.sun'], names: ['Hall light', ''] },
    ],
  ])('of the kind %s is the answer to %s', async (kind, command, result, reading) => {
    expect(await read({ kind }, { [command]: is(result) })).toEqual({
      reading: { kind, ...(reading as object) },
      asked: [{ type: command }],
    });
    expect((await read({ kind }, { [command]: refused('unauthorized') })).reading).toBeNull();
  });

  it('is bounded in its rows and their labels', async () => {
    const labels = many(200, (at) => `label-${at}`);
    const rows = many(50_002, (at) => ({ entity_id: `light.l${at}`, labels: at === 0 ? labels : [] }));
    const { reading } = await read({ kind: 'entities' }, { 'config/entity_registry/list': is(rows) });
    const entities = reading?.kind === 'entities' ? reading.entities : [];
    expect([entities.length, entities[0]?.labels.length]).toEqual([50_001, 100]);
    const states = await read(
      { kind: 'entity-ids' },
      { get_states: is(many(50_002, (at) => ({ entity_id: `a.b${at}` }))) },
    );
    expect(states.reading).toMatchObject({ entityIds: { length: 50_001 } });
    const odd = ['light.one', 'Light.two', 'light.küche', 'person.a b', '__proto__', `a.${'b'.repeat(300)}`, 7];
    const told = await read({ kind: 'entity-ids' }, { get_states: is(odd.map((id) => ({ entity_id: id }))) });
    expect(told.reading).toMatchObject({ entityIds: ['light.one'] });
  });

  it('is bounded in its pipelines, and has none that is preferred where Home Assistant names none', async () => {
    const command = 'assist_pipeline/pipeline/list';
    const rows = many(1_500, (at) => ({ id: `p${at}`, name: 'x'.repeat(300) }));
    const { reading } = await read(
      { kind: 'pipelines' },
      { [command]: is({ pipelines: rows, preferred_pipeline: 7 }) },
    );
    expect(reading).toMatchObject({ pipelines: { length: 64 }, preferred: null });
    const odd = await read({ kind: 'pipelines' }, { [command]: is('nonsense') });
    expect(odd.reading).toEqual({ kind: 'pipelines', pipelines: [], preferred: null });
  });

  it('is bounded in its dashboards, but knows every page', async () => {
    const panels = many(1_500, (at) => ({ component_name: 'lovelace', url_path: `p${at}`, title: 'x' }));
    const { reading } = await read({ kind: 'dashboards' }, { get_panels: is(Object.fromEntries(panels.entries())) });
    expect(reading).toMatchObject({ dashboards: { length: 1_000 }, sections: { length: 1_500 } });
  });

  it('has names without what breaks or reorders the line they stand in', async () => {
    const title = 'Kitchen\u202E\n\u2066';
    const panels = await read(
      { kind: 'dashboards' },
      { get_panels: is({ a: { component_name: 'lovelace', url_path: 'kitchen', title } }) },
    );
    expect(panels.reading).toMatchObject({ dashboards: [{ path: 'kitchen', title: 'Kitchen' }] });
    const states = await read(
      { kind: 'entity-ids' },
      {
        get_states: is(
          [title, '\u202E', 'x'.repeat(1_000_000)].map((name, at) => ({
            entity_id: `a.b${at}`,
            attributes: { friendly_name: name },
          })),
        ),
      },
    );
    expect(states.reading).toMatchObject({ names: ['Kitchen', '', ''] });
  });

  it.each([[null], [{ name: 'x' }], [{ id: 7 }]])('of no account is none: %j', async (result) => {
    expect((await read({ kind: 'account' }, { 'auth/current_user': is(result) })).reading).toBeNull();
  });
});

describe('the preferences of the energy dashboard', () => {
  const energy = async (answer: Answer<unknown>) =>
    (await read({ kind: 'energy' }, { 'energy/get_prefs': answer })).reading;

  it('name entities wherever they stand, each once', async () => {
    const preferences = {
      energy_sources: [
        {
          type: 'grid',
          flow_from: [{ stat_energy_from: 'sensor.grid', stat_cost: null, number_energy_price: 0.25 }],
          cost_adjustment_day: 0,
        },
        { type: 'solar', stat_energy_from: 'sensor.solar', config_entry_solar_forecast: ['01HX'] },
      ],
      device_consumption: [
        { stat_consumption: 'sensor.grid', name: 'My. plug' },
        { stat_consumption: 'external:statistic', name: 'Sensor.Capital' },
        { stat_consumption: `sensor.${'x'.repeat(300)}` },
      ],
    };
    expect(await energy(is(preferences))).toEqual({ kind: 'energy', entityIds: ['sensor.solar', 'sensor.grid'] });
  });

  it.each(['not_found', 'unknown_command'])('that are not there (%s) name none', async (code) => {
    expect(await energy(refused(code))).toEqual({ kind: 'energy', entityIds: [] });
  });

  it('that were not told in time were not read', async () => expect(await energy(refused(null))).toBeNull());
});

describe('a dashboard', () => {
  const configuration = { views: [{ cards: [{ entity: 'light.one' }] }] };
  const panelRows = {
    lovelace: { component_name: 'lovelace', url_path: 'lovelace' },
    'kitchen-panel': { component_name: 'lovelace', url_path: 'kitchen-panel', require_admin: true },
    home: { component_name: 'home' },
    maintenance: { component_name: 'maintenance' },
    history: { component_name: 'history' },
    odd: {},
  };
  const panels = is(panelRows);
  const of = (path: string, config: Answer<unknown> = is(configuration), list = panels) =>
    read({ kind: 'dashboard', path }, { get_panels: list, 'lovelace/config': config });

  it.each([
    ['kitchen-panel', 'kitchen-panel'],
    ['lovelace', null],
  ])('%s is stored, and asked for as %s', async (path, urlPath) => {
    expect(await of(path)).toEqual({
      reading: { kind: 'dashboard', path, origin: 'stored', configuration },
      asked: [{ type: 'get_panels' }, { type: 'lovelace/config', url_path: urlPath }],
    });
  });

  it.each([
    ['home', 'generated'],
    ['maintenance', 'generated'],
    ['history', 'other'],
  ])('%s is %s, and its configuration is not asked for', async (path, origin) => {
    expect(await of(path)).toEqual({
      reading: { kind: 'dashboard', path, origin, configuration: null },
      asked: [{ type: 'get_panels' }],
    });
  });

  it('that was never saved is generated', async () => {
    expect((await of('lovelace', refused('config_not_found'))).reading).toEqual({
      kind: 'dashboard',
      path: 'lovelace',
      origin: 'generated',
      configuration: null,
    });
  });

  it.each([
    ['is not there, or not for this account', 'gone', is(configuration), panels],
    ['has the name of something that every object has', 'constructor', is(configuration), panels],
    ['is a panel of no kind', 'odd', is(configuration), panels],
    ['cannot be told for an error', 'kitchen-panel', refused('error'), panels],
    ['is not told in time', 'kitchen-panel', refused(null), panels],
    ['is not told, and neither are the panels', 'kitchen-panel', is(configuration), refused(null)],
  ] as const)('that %s was not read', async (_, path, config, list) => {
    expect((await of(path, config, list)).reading).toBeNull();
  });

  describe('that the start page leads to', () => {
    const chosen = (panel: string | null) => is({ value: panel === null ? null : { default_panel: panel, other: 1 } });
    const kept = is({ ...panelRows, lovelace: { component_name: 'lovelace', config: { mode: 'storage' } } });
    const { home: _home, ...rest } = panelRows;
    const start = async (user: Answer<unknown>, house: Answer<unknown>, list = panels) =>
      (
        await read(
          { kind: 'dashboard', path: '' },
          {
            get_panels: list,
            'lovelace/config': is(configuration),
            'frontend/get_user_data': user,
            'frontend/get_system_data': house,
          },
        )
      ).reading;

    it.each<[string, Answer<unknown>, Answer<unknown>, Answer<unknown>, string]>([
      ['the user’s choice', chosen('kitchen-panel'), chosen('history'), panels, 'kitchen-panel'],
      ['the house’s where the user chose none', chosen(null), chosen('kitchen-panel'), panels, 'kitchen-panel'],
      ['home where nobody chose', chosen(null), chosen(null), panels, 'home'],
      [
        'home where the choice is gone or not for this account',
        chosen('gone'),
        chosen('kitchen-panel'),
        panels,
        'home',
      ],
      ['home where nothing is kept of the first one', chosen('lovelace'), chosen(null), panels, 'home'],
      ['the first one where something is', chosen('lovelace'), chosen(null), kept, 'lovelace'],
      [
        'the first one where there is no other',
        refused('unknown_command'),
        refused('unknown_command'),
        is(rest),
        'lovelace',
      ],
    ])('is %s', async (_, user, house, list, path) => {
      expect(await start(user, house, list)).toMatchObject({ kind: 'dashboard', path });
    });

    it.each([
      ['the user’s choice is not told', refused(null), chosen(null), panels],
      ['the house’s is not told', chosen(null), refused(null), panels],
      ['there is none', chosen(null), chosen(null), is({})],
    ] as const)('was not read where %s', async (_, user, house, list) => {
      expect(await start(user, house, list)).toBeNull();
    });
  });

  it('is taken up to four million characters', async () => {
    const long = (length: number) => ({ a: 'x'.repeat(length - '{"a":""}'.length) });
    expect((await of('kitchen-panel', is(long(4_000_000)))).reading).toMatchObject({ origin: 'stored' });
    expect((await of('kitchen-panel', is(long(4_000_001)))).reading).toBeNull();
    const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect((await of('kitchen-panel', is(deep))).reading).toBeNull();
  });
});
