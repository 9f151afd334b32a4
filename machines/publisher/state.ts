import { shapeOf, type RowShape } from '../entities/shape.ts';
import { type EntityValue, occurrencesOf, pictureOf, valueOf } from '../entities/value.ts';
import type { AnyRow, LightValue } from '../kit/entity.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import type { RowValue } from './events.ts';

/** Maximum length of a published attributes document, in characters. */
const ATTRIBUTES_LENGTH = 8192;
/** The payload that means unknown for number, switch, select, sensor and binary_sensor. */
const UNKNOWN = 'None';
/** The payload that clears a retained state; Home Assistant ignores it. */
const CLEARED = '';

/**
 * Payload of a light that is on with a colour or an effect. Home Assistant takes a colour only beside its mode (seen
 * with Home Assistant 2026.11).
 */
const fullLight = ({ brightness, rgb, effect }: LightValue): string =>
  JSON.stringify({
    state: 'ON',
    ...(brightness !== null && { brightness }),
    ...(rgb != null && { color_mode: 'rgb', color: { r: rgb.red, g: rgb.green, b: rgb.blue } }),
    ...(effect != null && { effect }),
  });

function lightPayload(value: LightValue): string {
  if (value.rgb != null || value.effect != null) return fullLight(value);
  const state = value.on ? 'ON' : 'OFF';
  return value.brightness === null ? `{"state":"${state}"}` : `{"state":"${state}","brightness":${value.brightness}}`;
}

/** The payload for an unknown value; null if this kind has none. */
function unknownPayload({ entityKind }: AnyRow): string | null {
  switch (entityKind) {
    case 'light':
      return '{"state":null}';
    // An empty payload cannot be retained, and `None` would be ordinary text.
    case 'text':
    case 'button':
    case 'event':
    // Home Assistant logs an error for what is no URL.
    case 'image':
      return null;
    case 'number':
    case 'switch':
    case 'select':
    case 'sensor':
    case 'binary_sensor':
      return UNKNOWN;
  }
}

function statePayload(row: AnyRow, value: EntityValue): string | null {
  if (value === null) return unknownPayload(row);
  if (typeof value === 'object') return lightPayload(value);
  if (typeof value === 'boolean') return value ? 'ON' : 'OFF';
  // As JSON, because an empty payload cannot be retained.
  return row.entityKind === 'text' ? JSON.stringify({ value }) : String(value);
}

function attributesPayload(row: AnyRow, snapshot: SnapshotView): string | null {
  if (!('attributes' in row) || row.attributes === undefined) return null;
  const text = JSON.stringify(row.attributes(snapshot));
  return text.length > ATTRIBUTES_LENGTH ? '{}' : text;
}

function occurredIn(row: AnyRow, snapshot: SnapshotView): Pick<RowValue, 'occurrences'> {
  const occurrences = occurrencesOf(row, snapshot)?.map(({ sequence, type, attributes }) => ({
    sequence,
    payload: JSON.stringify({ ...attributes, event_type: type }),
  }));
  return occurrences === undefined ? {} : { occurrences };
}

function pictured(row: AnyRow, snapshot: SnapshotView): Pick<RowValue, 'picture'> {
  const picture = pictureOf(row, snapshot);
  return picture === undefined ? {} : { picture };
}

const newest = ({ occurrences }: RowValue): number => occurrences?.at(-1)?.sequence ?? 0;

/** The value of a row whose actor is absent. */
export const absentValue: RowValue = { state: null, available: false, attributes: null };

/** Encodes the value of `row` from `snapshot`, which is undefined for an absent actor. */
export function encodeRow(row: AnyRow, snapshot: SnapshotView | undefined, shape: RowShape = shapeOf(row)): RowValue {
  const isCleared = row.clearedWhenUnavailable === true;
  if (snapshot === undefined) return isCleared ? { ...absentValue, state: CLEARED } : absentValue;
  const available = row.available(snapshot);
  return {
    state: isCleared && !available ? CLEARED : statePayload(row, valueOf(row, snapshot, shape)),
    available,
    attributes: attributesPayload(row, snapshot),
    ...occurredIn(row, snapshot),
    ...pictured(row, snapshot),
  };
}

/**
 * The same value with the URL of its picture as the state. `pages` is the URL of the panel's own pages; null while it
 * is unknown, and then there is no state.
 */
export const withAddress = (value: RowValue, pages: string | null): RowValue =>
  value.picture == null || pages === null ? value : { ...value, state: new URL(value.picture.path, pages).href };

/** True if two values have the same picture, or none. */
export const samePicture = (a: RowValue, b: RowValue): boolean =>
  a.picture?.path === b.picture?.path && a.picture?.sequence === b.picture?.sequence;

/** True if two values would publish the same messages. */
export const sameRowValue = (a: RowValue, b: RowValue): boolean =>
  a.state === b.state &&
  a.available === b.available &&
  a.attributes === b.attributes &&
  newest(a) === newest(b) &&
  samePicture(a, b) &&
  (a.occurrences === undefined) === (b.occurrences === undefined);

/**
 * Payloads of the occurrences since `before`. The first value of a row brings none, since all of them happened earlier.
 */
export function occurredSince(before: RowValue | undefined, after: RowValue): readonly string[] {
  if (before?.occurrences === undefined || after.occurrences === undefined) return [];
  // An actor that restarted counts from 1 again.
  const last = newest(after) < newest(before) ? 0 : newest(before);
  return after.occurrences.filter(({ sequence }) => sequence > last).map(({ payload }) => payload);
}
