import type { SimulatedPanel, SimulatedPart } from '#machines/simulator/events.ts';
import type { StatusDocument } from '#machines/status.ts';
import type { IconName } from '../icons.ts';
import { t, type StringKey } from '../strings/t.ts';
import { brightnessPercent } from './panel-drawing.tsx';

const everyPart: Readonly<Record<SimulatedPart, true>> = {
  led: true,
  button_backlight: true,
  button_leds: true,
  relays: true,
  buttons: true,
  illuminance: true,
  climate: true,
  proximity: true,
  zigbee: true,
};

/** Every part that can be pulled out, in the order of the panel's front and inside. */
// The keys of the record above, which the compiler holds to the parts there are.
export const plugs = Object.keys(everyPart) as readonly SimulatedPart[];

/** Steps of the light slider: it is logarithmic, as eyes are. */
const luxSteps = 100;

/** Lux at slider position `step` (0 to `luxSteps`): 0, then 1 to 100000 in even ratios. */
export const luxOf = (step: number): number => (step <= 0 ? 0 : Math.round(10 ** ((step / luxSteps) * 5)));

/** Slider position of `lux`. */
export const stepOf = (lux: number): number =>
  lux < 1 ? 0 : Math.min(luxSteps, Math.round((Math.log10(lux) / 5) * luxSteps));

/** The level 1 to 255 that the raw hardware brightness is of the whole range. */
const wholeRange = ({ raw, rawMax }: SimulatedPanel['screen']): number =>
  rawMax <= 1 ? 255 : Math.round(1 + ((Math.max(1, Math.min(rawMax, raw)) - 1) / (rawMax - 1)) * 254);

/**
 * The level 1 to 255 of the screen as the agent reads it, by the owner's lowest brightness; the hardware's own while
 * the agent's part for it is down.
 */
export const levelOf = ({ screen }: Pick<StatusDocument, 'screen'>, panel: Pick<SimulatedPanel, 'screen'>): number =>
  screen === null ? wholeRange(panel.screen) : (screen.brightness ?? screen.last_brightness);

/** One slider of the page: how a reading of the hardware becomes its position, words, and the request that moves it. */
export interface Scale {
  readonly icon: IconName;
  readonly label: StringKey;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** The part that must be plugged in for it to be felt; null for the screen. */
  readonly part: SimulatedPart | null;
  readonly at: (panel: SimulatedPanel, status: StatusDocument) => number;
  readonly words: (position: number) => string;
  readonly body: (position: number) => Readonly<Record<string, unknown>>;
}

/** Every slider of the simulated panel, by its name in the page. */
export const scales = {
  brightness: {
    icon: 'mdi:brightness-5',
    label: 'sim.screen_level',
    min: 1,
    max: 255,
    step: 1,
    part: null,
    at: (panel, status) => levelOf(status, panel),
    words: (value) => `${brightnessPercent(value)} %`,
    body: (brightness) => ({ screen: { brightness } }),
  },
  backlight: {
    icon: 'mdi:lightbulb-on-outline',
    label: 'sim.backlight',
    min: 0,
    max: 255,
    step: 1,
    part: 'button_backlight',
    at: (panel) => panel.buttonBacklight,
    words: (level) => `${brightnessPercent(level)} %`,
    body: (backlight) => ({ backlight }),
  },
  lux: {
    icon: 'mdi:white-balance-sunny',
    label: 'sim.light',
    min: 0,
    max: luxSteps,
    step: 1,
    part: 'illuminance',
    at: (panel) => stepOf(panel.lux),
    words: (value) => t('sim.lux', { lux: luxOf(value) }),
    body: (value) => ({ lux: luxOf(value) }),
  },
  // A room's range, not the sensor's: half a degree is still a finger's width on a phone.
  celsius: {
    icon: 'mdi:thermometer',
    label: 'sim.temperature',
    min: -20,
    max: 60,
    step: 0.5,
    part: 'climate',
    at: (panel) => panel.celsius,
    words: (celsius) => t('sim.celsius', { celsius: celsius.toFixed(1) }),
    body: (celsius) => ({ air: { celsius } }),
  },
  humidity: {
    icon: 'mdi:water-percent',
    label: 'sim.humidity',
    min: 0,
    max: 100,
    step: 1,
    part: 'climate',
    at: (panel) => panel.humidity,
    words: (value) => `${Math.round(value)} %`,
    body: (humidity) => ({ air: { humidity } }),
  },
  proximity: {
    icon: 'mdi:signal-distance-variant',
    label: 'sim.proximity',
    min: 0,
    max: 1000,
    step: 5,
    part: 'proximity',
    at: (panel) => panel.proximity,
    words: (raw) => t('sim.proximity_raw', { raw }),
    body: (proximity) => ({ proximity }),
  },
  load: {
    icon: 'mdi:gauge',
    label: 'sim.zigbee_load',
    min: 0,
    max: 100,
    step: 1,
    part: 'zigbee',
    at: (panel) => panel.zigbee.cpuPercent,
    words: (value) => `${Math.round(value)} %`,
    body: (cpuPercent) => ({ zigbee: { cpuPercent } }),
  },
} satisfies Readonly<Record<string, Scale>>;

/** Name of a slider of the page. */
export type ScaleName = keyof typeof scales;

/** Whether `name` is one of the sliders. */
export const isScale = (name: string | undefined): name is ScaleName =>
  name !== undefined && Object.prototype.hasOwnProperty.call(scales, name);

/** The scale of that name, as every scale is used. */
export const scaleOf = (name: ScaleName): Scale => scales[name];
