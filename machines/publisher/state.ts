import type { RowAttributes, RowValue } from '../entities/row-value.ts';
import type { EntityKind, LightValue } from '../kit/entity.ts';
import type { RowPayloads } from './events.ts';

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
function unknownPayload(kind: EntityKind): string | null {
  switch (kind) {
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

function valuePayload(kind: EntityKind, value: Exclude<RowValue['value'], null>): string {
  if (typeof value === 'object') return lightPayload(value);
  if (typeof value === 'boolean') return value ? 'ON' : 'OFF';
  // As JSON, because an empty payload cannot be retained.
  return kind === 'text' ? JSON.stringify({ value }) : String(value);
}

function statePayload(kind: EntityKind, { basis, value }: RowValue): string | null {
  switch (basis) {
    case 'absent':
      return null;
    case 'cleared':
      return CLEARED;
    case 'read':
      return value === null ? unknownPayload(kind) : valuePayload(kind, value);
  }
}

function attributesPayload(attributes: RowAttributes | null): string | null {
  if (attributes === null) return null;
  const text = JSON.stringify(attributes);
  return text.length > ATTRIBUTES_LENGTH ? '{}' : text;
}

/** The value of a row of this kind as payloads. */
export function encodeRow(kind: EntityKind, row: RowValue): RowPayloads {
  const { available, attributes, occurrences, picture } = row;
  const payloads: RowPayloads = {
    state: statePayload(kind, row),
    available,
    attributes: attributesPayload(attributes),
  };
  if (occurrences === undefined && picture === undefined) return payloads;
  return {
    ...payloads,
    ...(occurrences !== undefined && {
      occurrences: occurrences.map(({ sequence, type, attributes: facts }) => ({
        sequence,
        payload: JSON.stringify({ ...facts, event_type: type }),
      })),
    }),
    ...(picture !== undefined && { picture }),
  };
}

/**
 * The same payloads with the URL of the picture as the state. `pages` is the URL of the panel's own pages; null while
 * it is unknown, and then there is no state.
 */
export const withAddress = (payloads: RowPayloads, pages: string | null): RowPayloads =>
  payloads.picture == null || pages === null
    ? payloads
    : { ...payloads, state: new URL(payloads.picture.path, pages).href };
