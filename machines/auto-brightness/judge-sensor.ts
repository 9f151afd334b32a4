import type { Reading } from '../home-assistant/events.ts';
import { ok, refuse, type Result } from '../kit/result.ts';
import { lightInEntity } from './light-in-entity.ts';

/** Most characters of a state that are repeated. */
const STATE_LENGTH = 32;

const no = (message: string): Result<never, 'not-a-light-sensor'> => refuse('not-a-light-sensor', message);

/**
 * If an entity measures light: its lux, 0 to 100000, null while it has no value; otherwise what it is instead, and what
 * to do.
 */
export function judgeSensor(entityId: string, reading: Reading): Result<number | null, 'not-a-light-sensor'> {
  if (reading.kind !== 'entity' || reading.state === null)
    return no(`Home Assistant has no entity ${entityId}, or the panel’s user may not see it. Choose another one.`);
  const { state, unit, deviceClass } = reading;
  if (unit !== 'lx') {
    const is = deviceClass === null ? '' : ` (${deviceClass.replaceAll('_', ' ')})`;
    const instead = unit === null ? `has no unit${is}` : `measures in ${unit}${is}`;
    return no(`${entityId} ${instead}, not in lx. Choose a sensor that measures light.`);
  }
  const light = lightInEntity(reading);
  if (typeof light === 'number') return ok(light);
  return light === 'source-away'
    ? ok(null)
    : no(`${entityId} says “${state.slice(0, STATE_LENGTH)}”, which is not a number. Choose another sensor.`);
}
