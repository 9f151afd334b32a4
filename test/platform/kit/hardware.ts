import type { Panel } from './panel.ts';

/** What Home Assistant is to make of one part of the panel. */
export interface HardwareEntity {
  /** Entity id; its domain is the part before the dot. */
  readonly id: string;
  /** As Home Assistant shows them, also while the entity is unavailable. */
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Whether it says nothing until a person has calibrated it, or agreed to it. */
  readonly untilAgreed?: true;
}

/** Every part of the simulated panel that another panel may lack, as the contract's table of entities has it. */
export function hardwareOf({ id: panelId }: Panel): readonly HardwareEntity[] {
  const named = (
    domain: string,
    key: string,
    attributes: HardwareEntity['attributes'],
    untilAgreed?: true,
  ): HardwareEntity => ({
    id: `${domain}.${panelId}_${key}`,
    attributes,
    ...(untilAgreed && { untilAgreed }),
  });
  const four = (part: (number: number) => HardwareEntity): readonly HardwareEntity[] => [1, 2, 3, 4].map(part);
  return [
    named('light', 'led', { supported_color_modes: ['rgb'], effect_list: ['none', 'blink', 'pulse', 'strobe'] }),
    named('light', 'buttons', { supported_color_modes: ['brightness'] }),
    ...four((number) => named('light', `button_led${number}`, { supported_color_modes: ['onoff'] })),
    ...four((number) => named('switch', `relay${number}`, {})),
    named('event', 'button', {
      device_class: 'button',
      event_types: ['press', 'release', 'long_press', 'double_press'],
    }),
    named('sensor', 'illuminance', {
      device_class: 'illuminance',
      state_class: 'measurement',
      unit_of_measurement: 'lx',
    }),
    named('sensor', 'temperature', {
      device_class: 'temperature',
      state_class: 'measurement',
      unit_of_measurement: '°C',
    }),
    named('sensor', 'humidity', { device_class: 'humidity', state_class: 'measurement', unit_of_measurement: '%' }),
    named('binary_sensor', 'proximity', { device_class: 'occupancy' }, true),
    named('sensor', 'proximity_level', { state_class: 'measurement', unit_of_measurement: '%' }, true),
    named('sensor', 'zigbee_gateway_health', {}),
    named('switch', 'camera_enabled', {}),
    named('image', 'camera_snapshot', {}, true),
  ];
}
