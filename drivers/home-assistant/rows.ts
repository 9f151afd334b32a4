import { isEntityId } from '#machines/kit/entity-id.ts';
import { type Fields, fieldsOf, textOf } from '#drivers/kit/json-fields.ts';
import type { Area, Dashboard, Device, Floor, RegisteredEntity } from '#machines/home-assistant/events.ts';

/**
 * Most rows and ids of entities that are taken of a list: one more than Home Assistant was seen to take in one
 * subscription, by which a reader tells that more were left out.
 */
const ROWS = 50_001;
/** Most labels that are taken of one row. */
const LABELS = 100;

const listOf = (value: unknown, most: number): readonly unknown[] => (Array.isArray(value) ? value.slice(0, most) : []);

/** Labels of a row; what is no text is left out. */
const labelsOf = (row: Fields): readonly string[] =>
  listOf(row['labels'], LABELS).flatMap((label) => textOf(label) ?? []);

const isPair = (pair: unknown): pair is readonly [string, string] =>
  Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === 'string');

/** The rows of a list, at most 50,001, each as `read` takes it; what `read` finds nothing in is left out. */
export const rowsOf = <T>(result: unknown, read: (row: Fields) => readonly T[]): readonly T[] =>
  listOf(result, ROWS).flatMap((row) => read(fieldsOf(row)));

/** A row of the area registry. */
export function areaOf(row: Fields): readonly Area[] {
  const id = textOf(row['area_id']);
  const name = textOf(row['name']);
  return id === null || name === null ? [] : [{ id, name, floorId: textOf(row['floor_id']), labels: labelsOf(row) }];
}

/** A row of the floor registry. */
export function floorOf(row: Fields): readonly Floor[] {
  const id = textOf(row['floor_id']);
  return id === null ? [] : [{ id }];
}

/** A panel of the sidebar; pages that are no dashboards are left out. */
export function dashboardOf(row: Fields): readonly Dashboard[] {
  const path = textOf(row['url_path']);
  return path === null || row['component_name'] !== 'lovelace' ? [] : [{ path, title: textOf(row['title']) ?? path }];
}

/** A row of the entity registry. */
export function entityOf(row: Fields): readonly RegisteredEntity[] {
  const entityId = textOf(row['entity_id']);
  if (entityId === null) return [];
  return [{ entityId, areaId: textOf(row['area_id']), deviceId: textOf(row['device_id']), labels: labelsOf(row) }];
}

/** A row of the device registry. */
export function deviceOf(row: Fields): readonly Device[] {
  const id = textOf(row['id']);
  if (id === null) return [];
  const identifiers = listOf(row['identifiers'], ROWS).filter(isPair);
  return [{ id, areaId: textOf(row['area_id']), identifiers, labels: labelsOf(row) }];
}

/** The ids of a list of states, at most 50,001; what has not the form of one is left out. */
export const stateIdsOf = (states: unknown): readonly string[] =>
  rowsOf(states, ({ entity_id: id }) => {
    const text = textOf(id);
    return text !== null && isEntityId(text) ? [text] : [];
  });

/** Every text that has the form of an entity's id, wherever it stands, each once. */
export function idsWithin(value: unknown): readonly string[] {
  const found = new Set<string>();
  const open: unknown[] = [value];
  // It grows while it is gone through.
  for (const next of open) {
    if (typeof next === 'string') {
      if (isEntityId(textOf(next) ?? '')) found.add(next);
    } else if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) open.push(inner);
  }
  return [...found];
}
