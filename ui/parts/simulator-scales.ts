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
  keyboard: true,
};

/** Every part that can be unplugged: those on the front of the panel, then those inside. */
// The keys of the record above, which the compiler checks against the parts.
export const plugs = Object.keys(everyPart) as readonly SimulatedPart[];

/** Steps of the light slider, which is logarithmic like perception. */
const luxSteps = 100;

/** Lux at slider position `step` (0 to `luxSteps`): 0, then 1 to 100000 in even ratios. */
export const luxOf = (step: number): number => (step <= 0 ? 0 : Math.round(10 ** ((step / luxSteps) * 5)));

/** Slider position of `lux`. */
export const stepOf = (lux: number): number =>
  lux < 1 ? 0 : Math.min(luxSteps, Math.round((Math.log10(lux) / 5) * luxSteps));

/** The raw hardware brightness as a level from 1 to 255. */
const wholeRange = ({ raw, rawMax }: SimulatedPanel['screen']): number =>
  rawMax <= 1 ? 255 : Math.round(1 + ((Math.max(1, Math.min(rawMax, raw)) - 1) / (rawMax - 1)) * 254);

/**
 * The screen's level from 1 to 255 as the agent reads it, above the owner's minimum brightness; the hardware's own
 * while the agent's part is down.
 */
export const levelOf = ({ screen }: Pick<StatusDocument, 'screen'>, panel: Pick<SimulatedPanel, 'screen'>): number =>
  screen === null ? wholeRange(panel.screen) : (screen.brightness ?? screen.last_brightness);

/** One slider: turns a hardware reading into a position and words, and a position into a request. */
export interface Scale {
  readonly icon: IconName;
  readonly label: StringKey;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** The part that must be plugged in for it to have an effect; null for the screen. */
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
  // A room's range, not the sensor's, so that half a degree is still a finger's width on a phone.
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

export const isScale = (name: string | undefined): name is ScaleName =>
  name !== undefined && Object.prototype.hasOwnProperty.call(scales, name);

export const scaleOf = (name: ScaleName): Scale => scales[name];
