import type { StateValue } from 'xstate';

import { descriptors } from '#machines/settings.ts';
import { allowedMicrophone } from '#test/fakes/voice.ts';

/** One snapshot of an actor. */
export interface Moment {
  readonly context: unknown;
  readonly state?: StateValue;
}

const at = (context: unknown, state?: StateValue): Moment => ({ context, ...(state !== undefined && { state }) });
const judged = (state: string) => ({ state, detail: 'As judged.', reason: state, fix: null });
const working = { verdict: judged('working') };
const gone = { verdict: judged('not_here') };

const values = Object.fromEntries(
  descriptors.filter((item) => !item.readOnly && !item.secret).map(({ key, defaultValue }) => [key, defaultValue]),
);
const expose = Object.fromEntries(descriptors.map(({ key }) => [key, true]));
const settings = (over: Readonly<Record<string, unknown>>) => ({
  revision: 1,
  values: { ...values, mqtt_discovery_prefix: 'homeassistant', ...over },
  expose,
});

const screen = (over: object) => ({
  ...working,
  display: {},
  lit: true,
  brightness: 40,
  seen: true,
  fault: null,
  ...over,
});
const screens = [
  at(screen({})),
  at(screen({ lit: false, brightness: null })),
  at(screen({ brightness: 255.4 })),
  at(screen({ brightness: null })),
  at(screen({ lit: null })),
  at(screen({ display: null })),
];

const white = { red: 255, green: 255, blue: 255 };
const light = (over: object) => ({ ...working, on: true, level: 9, rgb: white, effect: 'none', fault: null, ...over });
const lights = [
  at(light({ ability: { colour: 'rgb', effects: true } })),
  at(light({ ability: { colour: 'rgb', effects: true }, rgb: { red: 1, green: 2.6, blue: 300 }, effect: 'blink' })),
  at(light({ ability: { colour: 'rgb', effects: false } })),
  at(light({ ability: { colour: 'level', effects: false }, level: 0 })),
  at(light({ ability: { colour: 'switch', effects: false } })),
  at(light({ ability: { colour: 'level', effects: true }, on: false, level: null })),
  at(light({ ability: null, on: null })),
  at(light({ ability: null, ...gone })),
];

const relays = [
  at({ ...working, closed: true, wanted: null, fault: null }),
  at({ ...working, closed: false, wanted: true, fault: 'EIO' }),
  at({ ...gone, closed: null, wanted: null, fault: null }),
];

const room = (published: unknown, offset = 0) => at({ shown: true, published, offset });
const sensors = [
  room({ value: 20.44 }),
  room({ value: 20.46 }, -1.5),
  room({ value: -0.04 }),
  room({ value: 500_000 }),
  room(null),
];

const presses = (...all: readonly (readonly [number, string, string])[]) =>
  at({
    named: [{ name: 'top', here: true }],
    buttons: { occurrences: all.map(([sequence, event, button]) => ({ sequence, event, button })) },
  });

const reading = {
  address: '192.0.2.7',
  cpuPercent: 12.6,
  memoryPercent: 33.2,
  socCelsius: 41.27,
  bootedAt: 1_700_000_000_000,
  wifiName: 'Ä "Net"',
  wifiSignalDbm: -61.5,
};
const nothingRead = Object.fromEntries(Object.keys(reading).map((key) => [key, null]));

const source = { driver: 'iio', name: 'tof' };
const near = { shown: true, source, near: true, level: 80, calibrations: [{ source, calibration: { presence: {} } }] };

const dashboard = (over: object) => ({ lastEnd: null, path: '/lovelace/0', lastNavigation: null, ...over });
const showing = { up: { showing: 'live' } };

const health = {
  state: 'ok',
  pressure_state: 'normal',
  usable_bytes: 5_000_000_000,
  total_bytes: 8_000_000_000,
  used_percent: 37,
  database_bytes: 4096,
  sidecar_bytes: 0,
  profiles_bytes: 12,
  other_bytes: 7,
  growth_bytes_per_day: null,
  quick_check: 'ok',
  quick_checked_at: 1_700_000_000_000,
  failure: null,
  summary: 'All is well.',
  action: null,
};

const zigbee = (state: string, sample: object | null) =>
  at({ gateway: 'simulated', state, verdict: judged('working'), facts: { sample, restarts: [1, 2], shares: [] } });
const sample = { running: true, joined: true, cpuPercent: 2.6, runningForMs: 4_000_000, memoryBytes: 1 };

/** What each actor of a panel may show, in the order in which the test puts it; the first is the usual one. */
export const moments: Readonly<Record<string, readonly Moment[]>> = {
  settings: [
    at(settings({})),
    at(settings({ home_dashboard: '/lovelace/hall', log_level: 'trace', auto_sleep: true, volume_limit_percent: 50 })),
    at(settings({ home_dashboard: `/${'a'.repeat(300)}`, log_level: 'nonsense', humidity_offset: 99 })),
  ],
  screen: screens,
  screen_2: screens.slice(0, 2),
  screen_3: screens.slice(0, 1),
  screen_4: screens.slice(0, 1),
  led: lights,
  buttons: lights,
  button_led1: lights.slice(4),
  button_led2: lights.slice(0, 1),
  button_led3: lights.slice(0, 1),
  button_led4: lights.slice(0, 1),
  relay1: relays,
  relay2: relays.slice(0, 1),
  relay3: relays.slice(0, 1),
  relay4: relays.slice(0, 1),
  illuminance: sensors,
  temperature: sensors,
  humidity: sensors,
  input: [
    presses([3, 'press', 'top']),
    presses([3, 'press', 'top'], [4, 'double', 'Ä "b"'], [5, 'nonsense', 'top']),
    presses([1, 'long', 'top']),
    at({ named: [], buttons: { occurrences: [] } }),
  ],
  power: [
    at({ ...working, route: 'logind', lastReboot: null, busy: false }),
    at({ ...gone, route: null, lastReboot: null, busy: false }),
  ],
  volume: [
    at({ ...working, route: 'simulated', percent: 40, muted: false, fault: null, limitPercent: 100 }),
    at({ ...working, route: 'simulated', percent: 41.5, muted: false, fault: null, limitPercent: 100 }),
    at({ ...working, route: 'simulated', percent: 400, muted: false, fault: null, limitPercent: 100 }),
    at({ ...gone, route: null, percent: null, muted: null, fault: 'gone', limitPercent: 100 }),
  ],
  renderer: [
    at(dashboard({}), showing),
    at(dashboard({ path: '/ä' }), showing),
    at(dashboard({ path: `/${'a'.repeat(300)}` }), showing),
    at(dashboard({}), { up: 'loading' }),
    at(dashboard({}), 'off'),
  ],
  'camera-session': [
    at({ stillSequence: 1 }, 'idle'),
    at({ stillSequence: 2 }, 'idle'),
    at({ stillSequence: 2 }, 'off'),
  ],
  camera: [at({ scan: { found: 'none', detail: 'not_enumerated' }, user: null, isEnabled: false, session: null })],
  voice: [at({}, { ready: 'idle' }), at({}, { turn: { responding: 'speaking' } }), at({}, 'nonsense')],
  microphone: [at(allowedMicrophone)],
  'storage-health': [
    at({ health }),
    at({ health: { ...health, state: 'critical', usable_bytes: null, summary: 'Ä "full".', action: 'Delete.' } }),
    at({ health: { ...health, summary: 'a'.repeat(9000) } }),
  ],
  zigbee: [
    zigbee('running', sample),
    zigbee('failing', null),
    zigbee('running', { ...sample, joined: null, cpuPercent: null, runningForMs: null }),
    zigbee('unchecked', null),
  ],
  readings: [
    at({ reading }),
    at({ reading: { ...reading, wifiName: 'b'.repeat(300), cpuPercent: Number.NaN } }),
    at({ reading: { ...reading, address: '2001:db8::7' } }),
    at({ reading: nothingRead }),
    at({ reading: null }),
  ],
  proximity: [at(near), at({ ...near, near: false, level: 3.4 }), at({ ...near, level: null, near: null })],
  'auto-sleep': [
    at({ source: 'proximity', view: { phase: 'holding', reason: 'movement' } }),
    at({ source: 'proximity', view: { phase: 'counting', reason: 'quiet' } }),
    at({ source: null, view: { phase: 'off', reason: 'off' } }),
  ],
};
