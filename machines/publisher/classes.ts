/**
 * Sensor device classes of the platform with the units it takes (Home Assistant 2026.11, `components/sensor/const.py`);
 * null: no unit is allowed; an empty list: units of this class are not checked here.
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
export const stateClassFree: readonly string[] = ['date', 'timestamp', 'enum'];

/** Device classes of the other platforms; a platform that is not named takes none. */
export const deviceClasses: Readonly<Record<string, readonly string[]>> = {
  binary_sensor: [
    'battery', 'battery_charging', 'carbon_monoxide', 'cold', 'connectivity', 'door', 'garage_door', 'gas', 'heat', 'light', 'lock', 'moisture', 'motion',
    'moving', 'occupancy', 'opening', 'plug', 'power', 'presence', 'problem', 'running', 'safety', 'smoke', 'sound', 'tamper', 'update', 'vibration', 'window',
  ],
  event: ['button', 'doorbell', 'motion'],
  button: ['identify', 'restart', 'update'],
  number: ['battery', 'duration', 'humidity', 'illuminance', 'signal_strength', 'sound_pressure', 'temperature'],
  switch: ['outlet', 'switch'],
};
