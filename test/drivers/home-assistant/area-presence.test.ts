import { describe, expect, it } from 'vitest';

import { readAreaPresence } from '#drivers/home-assistant/area-presence.ts';
import type { Answer, Ask } from '#drivers/home-assistant/bounded.ts';

const is = (value: unknown): Answer<unknown> => ({ ok: true, value });
const refused = (code: string | null): Answer<unknown> => ({ ok: false, code });

const DEVICES = [
  { id: 'panel', area_id: 'hall', identifiers: [['mqtt', 'sconce_hall']] },
  { id: 'sensor', area_id: 'hall', identifiers: [['zha', 'x']] },
  { id: 'part', area_id: null, parent_device_id: 'sensor', identifiers: [] },
  { id: 'moved', area_id: 'attic', parent_device_id: 'sensor', identifiers: [] },
  { id: 'other', area_id: 'attic', identifiers: [['mqtt', 'sconce_attic']] },
  { id: 'nowhere', area_id: null, identifiers: [['mqtt', 'sconce_nowhere']] },
  { id: 'lost', area_id: 'gone', identifiers: [['mqtt', 'sconce_lost']] },
];
const AREAS = [
  { area_id: 'hall', name: 'Hall\u202E' },
  { area_id: 'attic', name: 'Attic' },
];
const row = (name: string, change: object = {}) => ({
  id: `registry-${name}`,
  entity_id: `binary_sensor.${name}`,
  area_id: null,
  device_id: 'sensor',
  disabled_by: null,
  hidden_by: null,
  ...change,
});
const state = (name: string, deviceClass: unknown = 'motion', domain = 'binary_sensor') => ({
  entity_id: `${domain}.${name}`,
  state: 'off',
  attributes: { device_class: deviceClass, friendly_name: `The ${name}` },
});

/** Reads the area of a house with these entities; with what it was asked for. */
async function read(
  entities: readonly unknown[],
  states: readonly unknown[],
  change: Readonly<Record<string, Answer<unknown>>> = {},
  identifier = 'sconce_hall',
) {
  const asked: Parameters<Ask>[0][] = [];
  const answers: Readonly<Record<string, Answer<unknown>>> = {
    'config/device_registry/list': is(DEVICES),
    'config/area_registry/list': is(AREAS),
    'config/entity_registry/list': is(entities),
    get_states: is(states),
    ...change,
  };
  const reading = await readAreaPresence({ identifier }, (command) => {
    asked.push(command);
    return Promise.resolve(answers[command.type] ?? refused('unknown_command'));
  });
  return { reading, asked: asked.map(({ type }) => type), commands: asked };
}
const ids = async (entities: readonly unknown[], states: readonly unknown[]): Promise<readonly string[]> =>
  (await read(entities, states)).reading?.sensors.map(({ entityId }) => entityId.slice('binary_sensor.'.length)) ?? [];

describe('the area of the panel’s own device', () => {
  it.each([
    ['sconce_hall', { isKnown: true, area: { id: 'hall', name: 'Hall' } }],
    ['sconce_nowhere', { isKnown: true, area: null }],
    ['sconce_lost', { isKnown: true, area: null }],
    ['sconce_unknown', { isKnown: false, area: null }],
    ['x', { isKnown: false, area: null }],
  ])('of %s is %j', async (identifier, found) => {
    const { reading } = await read([], [], {}, identifier);
    expect(reading).toEqual({ kind: 'area-presence', sensors: [], total: 0, ...found });
  });

  it('needs no more questions than answers', async () => {
    const [devices, areas, entities] = ['device', 'area', 'entity'].map((kind) => `config/${kind}_registry/list`);
    expect((await read([], [], {}, 'sconce_unknown')).asked).toEqual([devices]);
    expect((await read([], [], {}, 'sconce_nowhere')).asked).toEqual([devices]);
    expect((await read([], [])).asked).toEqual([devices, areas, entities]);
    expect((await read([row('one')], [state('one')])).asked).toEqual([devices, areas, entities, 'get_states']);
  });

  it.each(['config/device_registry/list', 'config/area_registry/list', 'config/entity_registry/list', 'get_states'])(
    'is unknown where %s has no answer',
    async (type) => expect((await read([row('one')], [], { [type]: refused(null) })).reading).toBeNull(),
  );
});

describe('the presence sensors in it', () => {
  it.each<[string, object, boolean]>([
    ['by its device', {}, true],
    ['by a part of a device', { device_id: 'part' }, true],
    ['by a part with an area of its own', { device_id: 'moved' }, false],
    ['by its own area', { area_id: 'hall', device_id: 'other' }, true],
    ['without a device', { area_id: 'hall', device_id: null }, true],
    ['with another area of its own', { area_id: 'attic' }, false],
    ['of another device', { device_id: 'other' }, false],
    ['of no device and no area', { device_id: null }, false],
    ['of the panel itself', { device_id: 'panel' }, false],
    ['of the panel itself, with the area', { device_id: 'panel', area_id: 'hall' }, false],
    ['disabled', { disabled_by: 'user' }, false],
    ['hidden', { hidden_by: 'integration' }, false],
    ['of another domain', { entity_id: 'sensor.one' }, false],
    ['without an id', { entity_id: null }, false],
  ])('one %s', async (_, change, isOne) => {
    const states = [state('one'), state('one', 'motion', 'sensor')];
    expect(await ids([row('one', change)], states)).toEqual(isOne ? ['one'] : []);
  });

  it.each([
    ['occupancy', true],
    ['presence', true],
    ['motion', true],
    ['moving', false],
    ['door', false],
    [null, false],
    ['constructor', false],
  ])('of the class %j', async (deviceClass, isOne) =>
    expect(await ids([row('one')], [state('one', deviceClass)])).toEqual(isOne ? ['one'] : []),
  );

  it('are named by their states, and known by the registry', async () => {
    const entities = [row('two', { id: 7 }), row('one')];
    expect((await read(entities, [state('one'), state('two')])).reading?.sensors).toEqual([
      { entityId: 'binary_sensor.one', registryId: 'registry-one', name: 'The one' },
      { entityId: 'binary_sensor.two', registryId: 'binary_sensor.two', name: 'The two' },
    ]);
  });

  it('without a state yet are those of the registry', async () => {
    const entries = is({
      'binary_sensor.one': { device_class: null, original_device_class: 'motion', name: null, original_name: 'One' },
      'binary_sensor.two': { device_class: 'door', original_device_class: 'motion' },
      'binary_sensor.three': null,
      'binary_sensor.four': { original_device_class: 'presence', name: 'Four\n' },
    });
    const entities = ['one', 'two', 'three', 'four', 'five'].map((name) => row(name));
    const { reading, commands } = await read(entities, [state('five')], {
      'config/entity_registry/get_entries': entries,
    });
    expect(commands.at(-1)).toEqual({
      type: 'config/entity_registry/get_entries',
      entity_ids: ['one', 'two', 'three', 'four'].map((name) => `binary_sensor.${name}`),
    });
    expect(reading?.sensors.map(({ entityId, name }) => [entityId, name])).toEqual([
      ['binary_sensor.five', 'The five'],
      ['binary_sensor.four', 'Four'],
      ['binary_sensor.one', 'One'],
    ]);
    const answers = async (code: string | null) =>
      (await read(entities, [state('five')], { 'config/entity_registry/get_entries': refused(code) })).reading;
    expect(await answers('unknown_command')).toMatchObject({ total: 1 });
    expect(await answers(null)).toBeNull();
  });

  it('without a row in the registry are in no area', async () => {
    expect(await ids([], [state('one')])).toEqual([]);
  });

  it('are the first 32 by id, and the rest is counted', async () => {
    const names = Array.from({ length: 40 }, (_, at) => `s${String(39 - at).padStart(2, '0')}`);
    const { reading } = await read(
      names.map((name) => row(name)),
      names.map((name) => state(name)),
    );
    expect([reading?.total, reading?.sensors.length]).toEqual([40, 32]);
    expect(reading?.sensors[0]?.entityId).toBe('binary_sensor.s00');
    expect(reading?.sensors.at(-1)?.entityId).toBe('binary_sensor.s31');
  });

  it.each([[null], [{}], ['text'], [7]])('are none in %j', async (answer) => {
    const { reading } = await read([row('one')], [], { get_states: is(answer) });
    expect(reading).toMatchObject({ total: 0 });
    expect((await read([], [], { 'config/entity_registry/list': is(answer) })).reading).toMatchObject({ total: 0 });
  });
});
