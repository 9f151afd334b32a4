import type { ScanInput } from './events.ts';

/** Kinds of targets by configuration key. */
const kinds: ReadonlyMap<string, TargetKind> = new Map([
  ['area', 'area'],
  ['area_id', 'area'],
  ['areas', 'area'],
  ['device', 'device'],
  ['device_id', 'device'],
  ['devices', 'device'],
  ['floor', 'floor'],
  ['floor_id', 'floor'],
  ['floors', 'floor'],
  ['label', 'label'],
  ['label_id', 'label'],
  ['labels', 'label'],
]);

/** Registry by which a target selects entities. */
export type TargetKind = 'area' | 'device' | 'floor' | 'label';

export const targetKindOf = (key: string): TargetKind | undefined => kinds.get(key);

/** Resolves a target to its entities. */
export type Targets = (kind: TargetKind, id: string) => readonly string[];

/** A map of sets that creates each set on demand. */
function lists() {
  const byKey = new Map<string, Set<string>>();
  return {
    add: (key: string, id: string): void => {
      const held = byKey.get(key);
      if (held === undefined) byKey.set(key, new Set([id]));
      else held.add(id);
    },
    of: (key: string): readonly string[] => [...(byKey.get(key) ?? [])],
  };
}

/**
 * Resolves targets as Home Assistant does: an entity's own area wins over its device's; a label selects the entities,
 * devices and areas that have it, a floor its areas. Only entities with a state are found.
 */
export function targetsOf(
  { areas, devices, entities }: Pick<ScanInput, 'areas' | 'devices' | 'entities'>,
  existing: ReadonlySet<string>,
): Targets {
  const found = { area: lists(), device: lists(), floor: lists(), label: lists() };
  const deviceBy = new Map(devices.map((device) => [device.id, device]));
  const areaBy = new Map(areas.map((area) => [area.id, area]));
  for (const { entityId, areaId, deviceId, labels } of entities) {
    if (!existing.has(entityId)) continue;
    const device = deviceId === null ? undefined : deviceBy.get(deviceId);
    const areaName = areaId ?? device?.areaId ?? null;
    const area = areaName === null ? undefined : areaBy.get(areaName);
    if (deviceId !== null) found.device.add(deviceId, entityId);
    if (areaName !== null) found.area.add(areaName, entityId);
    if (area !== undefined && area.floorId !== null) found.floor.add(area.floorId, entityId);
    for (const label of [...labels, ...(device?.labels ?? []), ...(area?.labels ?? [])])
      found.label.add(label, entityId);
  }
  return (kind, id) => found[kind].of(id);
}
