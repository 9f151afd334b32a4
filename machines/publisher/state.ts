import { shapeOf, type RowShape } from '../entities/shape.ts';
import { type EntityValue, occurrencesOf, valueOf } from '../entities/value.ts';
import type { AnyRow, LightValue } from '../kit/entity.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import type { RowValue } from './events.ts';

/** Longest attributes document that is published, in characters. */
const ATTRIBUTES_LENGTH = 8192;
/** The payload that means unknown to number, switch, select, sensor and binary_sensor. */
const UNKNOWN = 'None';
/** The payload that takes a retained state back; Home Assistant does not read it. */
const CLEARED = '';

/**
 * A light that is on and has a colour or an effect; Home Assistant takes a colour only beside its mode (seen
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

/** The payload for a value that is unknown; null where none says that. */
function unknownPayload({ entityKind }: AnyRow): string | null {
  switch (entityKind) {
    case 'light':
      return '{"state":null}';
    // An empty text cannot be retained, and `None` would be a text like any other.
    case 'text':
    case 'button':
    case 'event':
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
  // JSON, because an empty text cannot be retained.
  return row.entityKind === 'text' ? JSON.stringify({ value }) : String(value);
}

function attributesPayload(row: AnyRow, snapshot: SnapshotView): string | null {
  if (row.entityKind !== 'sensor' || !row.attributes) return null;
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

const newest = ({ occurrences }: RowValue): number => occurrences?.at(-1)?.sequence ?? 0;

/** What a row says while its actor is absent. */
export const absentValue: RowValue = { state: null, available: false, attributes: null };

/** What `row` says about `snapshot`, as it travels; `undefined` is an absent actor. */
export function encodeRow(row: AnyRow, snapshot: SnapshotView | undefined, shape: RowShape = shapeOf(row)): RowValue {
  const isCleared = row.clearedWhenUnavailable === true;
  if (snapshot === undefined) return isCleared ? { ...absentValue, state: CLEARED } : absentValue;
  const available = row.available(snapshot);
  return {
    state: isCleared && !available ? CLEARED : statePayload(row, valueOf(row, snapshot, shape)),
    available,
    attributes: attributesPayload(row, snapshot),
    ...occurredIn(row, snapshot),
  };
}

/** Whether two values would publish the same. */
export const sameRowValue = (a: RowValue, b: RowValue): boolean =>
  a.state === b.state &&
  a.available === b.available &&
  a.attributes === b.attributes &&
  newest(a) === newest(b) &&
  (a.occurrences === undefined) === (b.occurrences === undefined);

/**
 * What happened since `before` was said. A value that is the first of its kind brings none: that all happened before
 * anybody listened.
 */
export function occurredSince(before: RowValue | undefined, after: RowValue): readonly string[] {
  if (before?.occurrences === undefined || after.occurrences === undefined) return [];
  // An actor that started again counts from 1.
  const last = newest(after) < newest(before) ? 0 : newest(before);
  return after.occurrences.filter(({ sequence }) => sequence > last).map(({ payload }) => payload);
}
