import { type AnyRow, type EntityOccurrence, type LightValue, type Picture, STATE_LENGTH } from '../kit/entity.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import { clamp } from '../kit/units.ts';
import type { RowShape } from './shape.ts';

/** The value of a row as Home Assistant accepts it; null if unknown or if the row has none. */
export type EntityValue = LightValue | number | string | boolean | null;

const truncate = (text: string, length: number): string => Array.from(text).slice(0, length).join('');

const part = (value: number): number => clamp(Math.round(value), 0, 255);

function lightOf(value: LightValue | null): LightValue | null {
  if (value === null) return null;
  const { on, brightness, rgb, effect } = value;
  // Home Assistant rejects brightness 0, so an off light reports only that it is off.
  if (!on) return { on, brightness: null };
  return {
    on,
    brightness: brightness !== null && Number.isFinite(brightness) ? clamp(Math.round(brightness), 1, 255) : null,
    ...(rgb != null && { rgb: { red: part(rgb.red), green: part(rgb.green), blue: part(rgb.blue) } }),
    ...(effect != null && { effect }),
  };
}

const numberOf = (value: number | null, range: RowShape['range']): number | null =>
  value === null || !Number.isFinite(value) || (range && (value < range.min || value > range.max)) ? null : value;

/** True if Home Assistant takes the sensor's state as a number; a wrong one poisons the entity there. */
const isNumericSensor = (shape: RowShape): boolean =>
  shape.entityKind === 'sensor' &&
  (shape.unit !== undefined || shape.stateClass !== undefined || shape.precision !== undefined);

const isTimestamp = (text: string): boolean => /(?:Z|[+-]\d\d:?\d\d)$/.test(text) && !Number.isNaN(Date.parse(text));

function sensorOf(value: number | string | null, shape: RowShape): number | string | null {
  if (value === null || value === '') return null;
  if (typeof value === 'number') return numberOf(value, undefined);
  if (isNumericSensor(shape)) return null;
  if (shape.options !== undefined && !shape.options.includes(value)) return null;
  if (shape.deviceClass === 'timestamp') return isTimestamp(value) ? value : null;
  return truncate(value, STATE_LENGTH);
}

/** The value of `row` from its actor's snapshot, limited to its shape. */
export function valueOf(row: AnyRow, snapshot: SnapshotView, shape: RowShape): EntityValue {
  switch (row.entityKind) {
    case 'light':
      return lightOf(row.read(snapshot));
    case 'number':
      return numberOf(row.read(snapshot), row.range);
    case 'text': {
      const value = row.read(snapshot);
      return value === null ? null : truncate(value, Math.min(row.maxLength, STATE_LENGTH));
    }
    case 'switch':
    case 'binary_sensor':
      return row.read(snapshot);
    case 'select': {
      const value = row.read(snapshot);
      return value !== null && row.options.includes(value) ? value : null;
    }
    case 'sensor':
      return sensorOf(row.read(snapshot), shape);
    case 'button':
    case 'event':
    case 'image':
      return null;
  }
}

/** The newest occurrences of an event row, oldest first, of its declared types only; undefined for any other row. */
export const occurrencesOf = (row: AnyRow, snapshot: SnapshotView): readonly EntityOccurrence[] | undefined =>
  // Home Assistant logs an error for any other type.
  row.entityKind === 'event' ? row.read(snapshot).filter(({ type }) => row.eventTypes.includes(type)) : undefined;

/** The picture of an image row, null for none; undefined for any other row. */
export const pictureOf = (row: AnyRow, snapshot: SnapshotView): Picture | null | undefined =>
  row.entityKind === 'image' ? row.read(snapshot) : undefined;
