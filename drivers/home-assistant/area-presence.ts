import { type Fields, fieldsOf, textOf } from '#drivers/kit/json-fields.ts';
import type { AreaPresence, PresenceSensor } from '#machines/home-assistant/events.ts';

import type { Ask } from './bounded.ts';
import { isOwnDevice } from './own-device.ts';
import { areaOf, deviceOf, nameOf, rowsOf } from './rows.ts';

/** Most sensors that are named; the rest is counted. */
const SENSORS = 32;
/** Most entities without a state of which the registry is asked. */
const STATELESS = 256;
const DOMAIN = 'binary_sensor.';
const CLASSES: ReadonlySet<unknown> = new Set(['occupancy', 'presence', 'motion']);

interface Placed {
  readonly id: string;
  readonly areaId: string | null;
  readonly parentId: string | null;
  readonly isOwn: boolean;
}

/** A row of the device registry with where it is. */
const placedIn = (identifier: string) => (row: Fields) =>
  deviceOf(row).map(({ id, areaId, identifiers }): Placed => ({
    id,
    areaId,
    parentId: textOf(row['parent_device_id']),
    isOwn: isOwnDevice(identifiers, identifier),
  }));

/** The ids of the devices in an area; a part of a device is where the whole is, unless it has an area of its own. */
function devicesIn(areaId: string, devices: readonly Placed[]): ReadonlySet<string> {
  const areas = new Map(devices.map((device) => [device.id, device.areaId]));
  return new Set(
    devices.flatMap((device) =>
      (device.areaId ?? (device.parentId === null ? null : areas.get(device.parentId))) === areaId ? [device.id] : [],
    ),
  );
}

interface Candidate {
  readonly entityId: string;
  readonly registryId: string;
}

/** A row of the entity registry that may be a sensor in the area: a usable binary sensor, none of the panel's own. */
const candidateIn = (areaId: string, ownId: string, devices: ReadonlySet<string>) => (row: Fields) => {
  const [entityId, deviceId, ownArea] = [textOf(row['entity_id']), textOf(row['device_id']), textOf(row['area_id'])];
  if (entityId === null || !entityId.startsWith(DOMAIN) || deviceId === ownId) return [];
  if (row['disabled_by'] != null || row['hidden_by'] != null) return [];
  const isThere = ownArea === null ? deviceId !== null && devices.has(deviceId) : ownArea === areaId;
  return isThere ? [{ entityId, registryId: textOf(row['id']) ?? entityId }] : [];
};

interface Described {
  readonly deviceClass: unknown;
  readonly name: string;
}

/** Class and name of the candidates that have a state. */
function describedIn(states: unknown, candidates: ReadonlySet<string>): ReadonlyMap<string, Described> {
  const rows = rowsOf(states, (row) => {
    const id = textOf(row['entity_id']);
    if (id === null || !candidates.has(id)) return [];
    const attributes = fieldsOf(row['attributes']);
    return [[id, { deviceClass: attributes['device_class'], name: nameOf(attributes['friendly_name']) }] as const];
  });
  return new Map(rows);
}

/** The same from the registry, for those that have no state yet: Home Assistant gives it late in its start. */
function describedByRegistry(entries: unknown, entityId: string): Described {
  const row = fieldsOf(fieldsOf(entries)[entityId]);
  return {
    deviceClass: row['device_class'] ?? row['original_device_class'],
    name: nameOf(row['name']) || nameOf(row['original_name']),
  };
}

/** Class and name of each candidate; null without an answer. */
async function describe(
  candidates: readonly Candidate[],
  ask: Ask,
): Promise<((entityId: string) => Described | undefined) | null> {
  if (candidates.length === 0) return () => undefined;
  const states = await ask({ type: 'get_states' });
  if (!states.ok) return null;
  const described = describedIn(states.value, new Set(candidates.map(({ entityId }) => entityId)));
  const stateless = candidates.flatMap(({ entityId }) => (described.has(entityId) ? [] : [entityId]));
  if (stateless.length === 0) return (id) => described.get(id);
  const entries = await ask({ type: 'config/entity_registry/get_entries', entity_ids: stateless.slice(0, STATELESS) });
  if (!entries.ok && entries.code === null) return null;
  const rows = entries.ok ? entries.value : {};
  return (id) => described.get(id) ?? describedByRegistry(rows, id);
}

const byEntityId = (a: PresenceSensor, b: PresenceSensor): number => (a.entityId < b.entityId ? -1 : 1);

/**
 * The area of the device with this identifier and the presence sensors in it; null without an answer. An entity without
 * a row in the registry is in no area. Every account may ask all of this (seen with 2026.11).
 */
export async function readAreaPresence(
  { identifier }: { readonly identifier: string },
  ask: Ask,
): Promise<AreaPresence | null> {
  const found = (
    isKnown: boolean,
    area: AreaPresence['area'] = null,
    sensors: readonly PresenceSensor[] = [],
  ): AreaPresence => ({
    kind: 'area-presence',
    isKnown,
    area,
    sensors: sensors.toSorted(byEntityId).slice(0, SENSORS),
    total: sensors.length,
  });
  const listed = await ask({ type: 'config/device_registry/list' });
  if (!listed.ok) return null;
  const devices = rowsOf(listed.value, placedIn(identifier));
  const own = devices.find(({ isOwn }) => isOwn);
  if (own === undefined) return found(false);
  const { areaId } = own;
  if (areaId === null) return found(true);
  const areas = await ask({ type: 'config/area_registry/list' });
  const entities = await ask({ type: 'config/entity_registry/list' });
  if (!areas.ok || !entities.ok) return null;
  const area = rowsOf(areas.value, areaOf).find(({ id }) => id === areaId);
  if (area === undefined) return found(true);
  const candidates = rowsOf(entities.value, candidateIn(areaId, own.id, devicesIn(areaId, devices)));
  const described = await describe(candidates, ask);
  if (described === null) return null;
  const sensors = candidates.flatMap(({ entityId, registryId }) => {
    const its = described(entityId);
    return its !== undefined && CLASSES.has(its.deviceClass) ? [{ entityId, registryId, name: its.name }] : [];
  });
  return found(true, { id: area.id, name: nameOf(area.name) || area.id }, sensors);
}
