import { ownField } from '../kit/own-field.ts';

/**
 * Sensor device classes with the units that Home Assistant accepts (2026.11, `components/sensor/const.py`). Null: no
 * unit allowed. Empty list: units of this class are not checked here.
 */
export const sensorClasses: Readonly<Record<string, readonly string[] | null>> = {
  apparent_power: [],
  aqi: null,
  atmospheric_pressure: [],
  battery: ['%'],
  carbon_dioxide: ['ppm'],
  carbon_monoxide: [],
  current: ['A', 'mA'],
  data_rate: [],
  data_size: [],
  date: null,
  distance: [],
  duration: ['d', 'h', 'min', 's', 'ms', 'μs'],
  energy: [],
  enum: null,
  frequency: ['Hz', 'kHz', 'MHz', 'GHz'],
  humidity: ['%'],
  illuminance: ['lx'],
  moisture: ['%'],
  pm1: [],
  pm10: [],
  pm25: [],
  power: [],
  power_factor: [],
  pressure: [],
  signal_strength: ['dB', 'dBm'],
  sound_pressure: ['dB', 'dBA'],
  speed: [],
  temperature: ['°C', '°F', 'K'],
  timestamp: null,
  voltage: [],
};

/** Sensor classes whose state is not a measured number. */
const stateClassFree: readonly string[] = ['date', 'timestamp', 'enum'];

/** Device classes of the other kinds of entities; a kind that is not listed takes none. */
const deviceClasses: Readonly<Record<string, readonly string[]>> = {
  binary_sensor: [
    'battery',
    'battery_charging',
    'carbon_monoxide',
    'cold',
    'connectivity',
    'door',
    'garage_door',
    'gas',
    'heat',
    'light',
    'lock',
    'moisture',
    'motion',
    'moving',
    'occupancy',
    'opening',
    'plug',
    'power',
    'presence',
    'problem',
    'running',
    'safety',
    'smoke',
    'sound',
    'tamper',
    'update',
    'vibration',
    'window',
  ],
  event: ['button', 'doorbell', 'motion'],
  button: ['identify', 'restart', 'update'],
  number: ['battery', 'duration', 'humidity', 'illuminance', 'signal_strength', 'sound_pressure', 'temperature'],
  switch: ['outlet', 'switch'],
};

/** The device classes that entities of this kind may have, other than sensors. */
export const classesOf = (kind: string): readonly string[] => ownField(deviceClasses, kind) ?? [];

/** What of a sensor depends on its device class. */
interface ClassedSensor {
  readonly deviceClass?: string | undefined;
  readonly stateClass?: string | undefined;
  readonly unit?: string | undefined;
  readonly options?: readonly string[] | undefined;
}

/** What Home Assistant would not accept together with the device class of a sensor, most important first. */
export function faultsOfSensor({ deviceClass, stateClass, unit, options }: ClassedSensor): readonly string[] {
  const faults: string[] = [];
  if (options !== undefined && (deviceClass !== 'enum' || stateClass !== undefined))
    faults.push('options are only of the class enum');
  if (deviceClass === undefined) return faults;
  const units = ownField(sensorClasses, deviceClass);
  if (units === null && unit !== undefined) faults.push('this device class has no unit');
  if (units && units.length > 0 && (unit === undefined || !units.includes(unit)))
    faults.push('unit does not fit the device class');
  if (stateClass !== undefined && stateClassFree.includes(deviceClass))
    faults.push('this device class has no state class');
  return faults;
}
