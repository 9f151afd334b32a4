import { fieldsOf, textOf } from '#drivers/kit/json-fields.ts';
import type { LightSensor } from '#machines/home-assistant/events.ts';

import { luxOf } from './lux.ts';
import { rowsOf, stateOf } from './rows.ts';

/** Most sensors that a person chooses from. */
const SENSORS = 200;
const DOMAIN = 'sensor.';
const LUX_UNIT = 'lx';

/** An instant in the notation of Home Assistant, `2026-11-26T11:25:05.123456+00:00`; null for none. */
function instantOf(value: unknown): number | null {
  const at = Date.parse(textOf(value) ?? '');
  return Number.isFinite(at) ? at : null;
}

/** A state of `get_states`; empty unless it is of a sensor with device class `illuminance` or unit `lx`. */
function sensorOf(row: ReturnType<typeof fieldsOf>): readonly LightSensor[] {
  const attributes = fieldsOf(row['attributes']);
  const unit = textOf(attributes['unit_of_measurement']) ?? '';
  if (attributes['device_class'] !== 'illuminance' && unit !== LUX_UNIT) return [];
  return stateOf(row)
    .filter(({ id }) => id.startsWith(DOMAIN))
    .map(({ id, name }) => ({
      entityId: id,
      name,
      unit,
      lux: unit === LUX_UNIT ? luxOf(row['state']) : null,
      updatedAt: instantOf(row['last_updated']),
    }));
}

/** The light sensors among all states, at most 200, those with a usable number first. */
export const lightSensorsIn = (states: unknown): readonly LightSensor[] =>
  rowsOf(states, sensorOf)
    .toSorted((a, b) => Number(a.lux === null) - Number(b.lux === null))
    .slice(0, SENSORS);
