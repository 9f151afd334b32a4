import { isEntityId } from '#machines/kit/entity-id.ts';
import { type Fields, fieldsOf, textOf } from '#drivers/kit/json-fields.ts';
import type {
  Area,
  AssistPipeline,
  Dashboard,
  Device,
  Floor,
  RegisteredEntity,
} from '#machines/home-assistant/events.ts';

/**
 * Most rows and entity ids taken from a list: one more than Home Assistant was seen to accept in one subscription, so
 * that a reader can tell that some were left out.
 */
const ROWS = 50_001;
/** Most labels taken from one row. */
const LABELS = 100;

const listOf = (value: unknown, most: number): readonly unknown[] => (Array.isArray(value) ? value.slice(0, most) : []);

const labelsOf = (row: Fields): readonly string[] =>
  listOf(row['labels'], LABELS).flatMap((label) => textOf(label) ?? []);

const isPair = (pair: unknown): pair is readonly [string, string] =>
  Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === 'string');

/** The rows of a list, at most 50,001, each as `read` converts it; an empty result leaves the row out. */
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

/** A name for people, without line breaks and what reorders the text beside it; "" for none. */
export const nameOf = (value: unknown): string =>
  (textOf(value) ?? '').replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, ' ').trim();

/** Most dashboards: each is listed on pages. */
const DASHBOARDS = 1_000;

/** The panels of the sidebar that are dashboards, at most 1,000. */
export const dashboardsOf = (panels: readonly unknown[]): readonly Dashboard[] =>
  rowsOf(panels, (row) => {
    const path = textOf(row['url_path']);
    return path === null || row['component_name'] !== 'lovelace' ? [] : [{ path, title: nameOf(row['title']) || path }];
  }).slice(0, DASHBOARDS);

/** The path of any page of the sidebar. */
export function sectionsOf(row: Fields): readonly string[] {
  const path = textOf(row['url_path']);
  return path === null ? [] : [path];
}

/** Most pipelines: each is listed on a page. */
const PIPELINES = 64;

/** The Assist pipelines, at most 64; one without an id is left out. */
export const pipelinesOf = (pipelines: unknown): readonly AssistPipeline[] =>
  rowsOf(pipelines, (row) => {
    const id = textOf(row['id']);
    if (id === null) return [];
    const [hears, speaks] = [textOf(row['stt_engine']) !== null, textOf(row['tts_engine']) !== null];
    return [{ id, name: nameOf(row['name']) || id, hears, speaks }];
  }).slice(0, PIPELINES);

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

/** An entity with a state: its id, and its friendly name or "". A malformed id leaves it out. */
export function stateOf({
  entity_id: id,
  attributes,
}: Fields): readonly { readonly id: string; readonly name: string }[] {
  const text = textOf(id);
  if (text === null || !isEntityId(text)) return [];
  return [{ id: text, name: nameOf(fieldsOf(attributes)['friendly_name']) }];
}

/** All distinct strings in the form of an entity id, at any depth. */
export function idsWithin(value: unknown): readonly string[] {
  const found = new Set<string>();
  const open: unknown[] = [value];
  // The list grows during the loop.
  for (const next of open) {
    if (typeof next === 'string') {
      if (isEntityId(textOf(next) ?? '')) found.add(next);
    } else if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) open.push(inner);
  }
  return [...found];
}
