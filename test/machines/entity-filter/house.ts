import type { ScanInput } from '#machines/entity-filter/events.ts';
import type { Learned, Member } from '#machines/entity-filter/persisted.ts';

const entity = (entityId: string, change: Partial<ScanInput['entities'][number]> = {}) => ({
  entityId,
  areaId: null,
  deviceId: null,
  labels: [],
  ...change,
});
const area = (id: string, floorId: string | null, labels: readonly string[] = []) => ({
  id,
  name: id,
  floorId,
  labels,
});
const device = (id: string, areaId: string | null, labels: readonly string[] = []) => ({
  id,
  areaId,
  identifiers: [],
  labels,
});

/** Everything that the house of the tests has. */
export const existing = [
  'light.hall',
  'light.kitchen',
  'light.stove',
  'light.attic',
  'sensor.attic',
  'sensor.fridge',
  'sensor.grid',
  'climate.hall',
  'camera.door',
  'script.good_night',
  'input_boolean.guests',
  'todo.shopping',
  'person.anna',
  'zone.home',
  'update.core',
  'sun.sun',
] as const;

/** What the frontend reads by itself, sorted. */
export const always = ['person.anna', 'sun.sun', 'update.core', 'zone.home'];

/** A scan of a dashboard in that house. */
export const scanOf = (configuration: unknown, change: Partial<ScanInput> = {}): ScanInput => ({
  dashboard: 'wall-panel',
  configuration,
  isDashboard: true,
  energyIds: ['sensor.grid'],
  areas: [area('kitchen', 'ground', ['warm']), area('attic', 'top'), area('hall', 'ground')],
  floors: [{ id: 'ground' }, { id: 'top' }],
  devices: [device('oven', 'kitchen'), device('fridge', 'kitchen', ['cold']), device('lamp', 'attic')],
  entities: [
    entity('light.kitchen', { areaId: 'kitchen' }),
    entity('light.stove', { deviceId: 'oven' }),
    entity('sensor.fridge', { deviceId: 'fridge' }),
    // Its own area wins over that of its device.
    entity('light.attic', { areaId: 'hall', deviceId: 'lamp' }),
    entity('sensor.attic', { deviceId: 'lamp', labels: ['cold'] }),
    // It is disabled: it has no state.
    entity('sensor.asleep', { areaId: 'kitchen', labels: ['cold'] }),
  ],
  existing,
  names: [],
  ...change,
});

/** A scan of a dashboard of one view with these cards. */
export const cards = (...list: readonly unknown[]): ScanInput => scanOf({ views: [{ title: 'Hall', cards: list }] });

/** A dashboard of which nothing is known. */
export const unknown: Learned = {
  dashboard: 'wall-panel',
  scannedAt: null,
  members: [],
  issues: [],
  ignored: [],
  active: null,
};

/** The member of a dashboard; undefined where it has none of that id. */
export const memberOf = ({ members }: Learned, id: string): Member | undefined =>
  members.find(({ entityId }) => entityId === id);
