import type { Area, Dashboard, Device, Reading, RegisteredEntity, Topic } from '#machines/home-assistant/events.ts';
import { type Fields, fieldsOf, textOf } from '#drivers/kit/json-fields.ts';

/** Most rows that are taken of a list: above the largest houses that are known of. */
const ROWS = 20_000;

const rowsOf = (result: unknown): readonly Fields[] =>
  Array.isArray(result) ? result.slice(0, ROWS).map(fieldsOf) : [];

const areaOf = (row: Fields): readonly Area[] => {
  const id = textOf(row['area_id']);
  const name = textOf(row['name']);
  return id === null || name === null ? [] : [{ id, name }];
};

/** Pages of the sidebar that are no dashboards are left out. */
const dashboardOf = (row: Fields): readonly Dashboard[] => {
  const path = textOf(row['url_path']);
  return path === null || row['component_name'] !== 'lovelace' ? [] : [{ path, title: textOf(row['title']) ?? path }];
};

const entityOf = (row: Fields): readonly RegisteredEntity[] => {
  const entityId = textOf(row['entity_id']);
  return entityId === null ? [] : [{ entityId, areaId: textOf(row['area_id']), deviceId: textOf(row['device_id']) }];
};

const isPair = (pair: unknown): pair is readonly [string, string] =>
  Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === 'string');

const deviceOf = (row: Fields): readonly Device[] => {
  const id = textOf(row['id']);
  const pairs: readonly unknown[] = Array.isArray(row['identifiers']) ? row['identifiers'] : [];
  return id === null ? [] : [{ id, areaId: textOf(row['area_id']), identifiers: pairs.filter(isPair) }];
};

/** A list of Home Assistant: the command that reads it, the event after which it is read again, and its rows. */
interface ListSource {
  readonly command: string;
  readonly changed: string;
  readonly read: (result: unknown) => Reading;
}

/** The lists by the kind of their topic; every account may read them and hear of their changes. */
const lists: Readonly<Record<Exclude<Topic['kind'], 'entity'>, ListSource>> = {
  areas: {
    command: 'config/area_registry/list',
    changed: 'area_registry_updated',
    read: (result) => ({ kind: 'areas', areas: rowsOf(result).flatMap(areaOf) }),
  },
  dashboards: {
    command: 'get_panels',
    changed: 'panels_updated',
    read: (result) => ({
      kind: 'dashboards',
      dashboards: rowsOf(Object.values(fieldsOf(result))).flatMap(dashboardOf),
    }),
  },
  entities: {
    command: 'config/entity_registry/list',
    changed: 'entity_registry_updated',
    read: (result) => ({ kind: 'entities', entities: rowsOf(result).flatMap(entityOf) }),
  },
  devices: {
    command: 'config/device_registry/list',
    changed: 'device_registry_updated',
    read: (result) => ({ kind: 'devices', devices: rowsOf(result).flatMap(deviceOf) }),
  },
};

/** How a list is read; null for a topic that is one entity. */
export const listOf = (topic: Topic): ListSource | null => (topic.kind === 'entity' ? null : lists[topic.kind]);

/** Longest state of an entity, in characters (Home Assistant's own bound). */
const STATE_LENGTH = 255;

/**
 * An entity's state after an event of `subscribe_entities`, in its short keys: `a` added, `c` changed, `r` removed;
 * `before` is what it was. Null where the event says nothing of it.
 */
export const entityAfter = (
  entityId: string,
  before: Extract<Reading, { readonly kind: 'entity' }>,
  event: unknown,
): Extract<Reading, { readonly kind: 'entity' }> | null => {
  const { a: added, c: changed, r: removed } = fieldsOf(event);
  if (Array.isArray(removed) && removed.includes(entityId))
    return { kind: 'entity', entityId, state: null, deviceClass: null, unit: null };
  const whole = fieldsOf(added)[entityId];
  const part = fieldsOf(fieldsOf(changed)[entityId])['+'];
  if (whole === undefined && part === undefined) return null;
  const { s: state, a: attributes } = fieldsOf(whole ?? part);
  const { device_class: deviceClass, unit_of_measurement: unit } = fieldsOf(attributes);
  return {
    kind: 'entity',
    entityId,
    state: typeof state === 'string' ? state.slice(0, STATE_LENGTH) : before.state,
    deviceClass: textOf(deviceClass) ?? (whole === undefined ? before.deviceClass : null),
    unit: textOf(unit) ?? (whole === undefined ? before.unit : null),
  };
};
