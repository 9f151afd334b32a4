import { type AnyRow, type LightValue, STATE_LENGTH } from '../kit/entity.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import { clamp } from '../kit/units.ts';
import type { RowValue } from './events.ts';
import { shapeOf, type RowShape } from './shape.ts';

/** Longest attributes document that is published, in characters. */
const ATTRIBUTES_LENGTH = 8192;
/** The payload that means unknown to number, switch, select, sensor and binary_sensor. */
const UNKNOWN = 'None';
/** The payload that takes a retained state back; Home Assistant does not read it. */
const CLEARED = '';

const cut = (text: string, length: number): string => Array.from(text).slice(0, length).join('');

const onOff = (on: boolean): string => (on ? 'ON' : 'OFF');

const part = (value: number): number => clamp(Math.round(value), 0, 255);

/**
 * A light that is on and has a colour or an effect; Home Assistant takes a colour only beside its mode (seen
 * with Home Assistant 2026.11).
 */
const fullLight = ({ rgb, effect }: LightValue, brightness: number | null): string =>
  JSON.stringify({
    state: 'ON',
    ...(brightness !== null && { brightness }),
    ...(rgb != null && { color_mode: 'rgb', color: { r: part(rgb.red), g: part(rgb.green), b: part(rgb.blue) } }),
    ...(effect != null && { effect }),
  });

const lightPayload = (value: LightValue | null): string => {
  if (value === null) return '{"state":null}';
  // Home Assistant drops a message with brightness 0 as a whole, so an off light says only that it is off.
  const brightness =
    value.on && value.brightness !== null && Number.isFinite(value.brightness)
      ? clamp(Math.round(value.brightness), 1, 255)
      : null;
  if (value.on && (value.rgb != null || value.effect != null)) return fullLight(value, brightness);
  return brightness === null
    ? `{"state":"${onOff(value.on)}"}`
    : `{"state":"${onOff(value.on)}","brightness":${brightness}}`;
};

const numberPayload = (value: number | null, range: RowShape['range']): string =>
  value === null || !Number.isFinite(value) || (range && (value < range.min || value > range.max))
    ? UNKNOWN
    : String(value);

/** Whether Home Assistant takes the sensor's state as a number; a wrong one poisons the entity there. */
export const isNumericSensor = (shape: RowShape): boolean =>
  shape.entityKind === 'sensor' &&
  (shape.unit !== undefined || shape.stateClass !== undefined || shape.precision !== undefined);

const isTimestamp = (text: string): boolean => /(?:Z|[+-]\d\d:?\d\d)$/.test(text) && !Number.isNaN(Date.parse(text));

const sensorPayload = (value: number | string | null, shape: RowShape): string => {
  if (value === null || value === '') return UNKNOWN;
  if (typeof value === 'number') return numberPayload(value, undefined);
  if (isNumericSensor(shape)) return UNKNOWN;
  if (shape.deviceClass === 'timestamp') return isTimestamp(value) ? value : UNKNOWN;
  return cut(value, STATE_LENGTH);
};

const statePayload = (row: AnyRow, snapshot: SnapshotView, shape: RowShape): string | null => {
  switch (row.entityKind) {
    case 'light':
      return lightPayload(row.read(snapshot));
    case 'number':
      return numberPayload(row.read(snapshot), row.range);
    case 'text': {
      // JSON, because an empty text cannot be retained and `None` would be a text like any other.
      const value = row.read(snapshot);
      return value === null ? null : JSON.stringify({ value: cut(value, Math.min(row.maxLength, STATE_LENGTH)) });
    }
    case 'switch':
    case 'binary_sensor': {
      const value = row.read(snapshot);
      return value === null ? UNKNOWN : onOff(value);
    }
    case 'select': {
      const value = row.read(snapshot);
      return value !== null && row.options.includes(value) ? value : UNKNOWN;
    }
    case 'sensor':
      return sensorPayload(row.read(snapshot), shape);
    case 'button':
    case 'event':
      return null;
  }
};

const attributesPayload = (row: AnyRow, snapshot: SnapshotView): string | null => {
  if (row.entityKind !== 'sensor' || !row.attributes) return null;
  const text = JSON.stringify(row.attributes(snapshot));
  return text.length > ATTRIBUTES_LENGTH ? '{}' : text;
};

const happenedOf = (row: AnyRow, snapshot: SnapshotView): Pick<RowValue, 'happened'> =>
  row.entityKind === 'event'
    ? {
        happened: row
          .read(snapshot)
          // Home Assistant writes an error to its log for any other type.
          .filter(({ type }) => row.eventTypes.includes(type))
          .map(({ sequence, type, attributes }) => ({
            sequence,
            payload: JSON.stringify({ ...attributes, event_type: type }),
          })),
      }
    : {};

const newest = ({ happened }: RowValue): number => happened?.at(-1)?.sequence ?? 0;

/** What a row says while its actor is absent. */
export const absentValue: RowValue = { state: null, available: false, attributes: null };

/** What `row` says about `snapshot`, as it travels; `undefined` is an absent actor. */
export const encodeRow = (
  row: AnyRow,
  snapshot: SnapshotView | undefined,
  shape: RowShape = shapeOf(row),
): RowValue => {
  const isCleared = row.clearedWhenUnavailable === true;
  if (snapshot === undefined) return isCleared ? { ...absentValue, state: CLEARED } : absentValue;
  const available = row.available(snapshot);
  return {
    state: isCleared && !available ? CLEARED : statePayload(row, snapshot, shape),
    available,
    attributes: attributesPayload(row, snapshot),
    ...happenedOf(row, snapshot),
  };
};

/** Whether two values would publish the same. */
export const sameRowValue = (a: RowValue, b: RowValue): boolean =>
  a.state === b.state &&
  a.available === b.available &&
  a.attributes === b.attributes &&
  newest(a) === newest(b) &&
  (a.happened === undefined) === (b.happened === undefined);

/**
 * What happened since `before` was said. A value that is the first of its kind brings none: that all happened before
 * anybody listened.
 */
export const happenedSince = (before: RowValue | undefined, after: RowValue): readonly string[] => {
  if (before?.happened === undefined || after.happened === undefined) return [];
  // An actor that started again counts from 1.
  const last = newest(after) < newest(before) ? 0 : newest(before);
  return after.happened.filter(({ sequence }) => sequence > last).map(({ payload }) => payload);
};
