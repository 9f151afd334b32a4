import { type OpenMicrophone, SaidSound } from './said-sound.ts';
import type { SimulatedPanel, SimulatedPart } from '#machines/simulator/events.ts';
import { clamp } from '#machines/kit/units.ts';

/** Raw brightness range of the simulated screen, as wide as a common 10-bit backlight. */
const RAW_MAX = 1023;
/** Simulated buttons and relays, as on a common four-button panel. */
const PARTS = 4;

const initialPanel: SimulatedPanel = {
  screen: { raw: 820, rawMax: RAW_MAX, powered: true },
  led: { on: false, red: 255, green: 191, blue: 0 },
  relays: Array.from({ length: PARTS }, () => false),
  buttonBacklight: 0,
  buttonLeds: Array.from({ length: PARTS }, () => false),
  buttons: Array.from({ length: PARTS }, () => null),
  held: Array.from({ length: PARTS }, () => false),
  lux: 120,
  celsius: 21.5,
  humidity: 45,
  proximity: 40,
  zigbee: { running: true, joined: true, cpuPercent: 2 },
  // As on most walls; it is plugged in on the panel's own page.
  unplugged: ['keyboard'],
  volume: { percent: 40, muted: false },
  camera: { plugged: true, permitted: true, blind: false, jammed: false, occupied: false },
  microphone: { plugged: true, permitted: true, muted: false, stalled: false, occupied: false },
  reboots: 0,
};

/** Largest raw reading of the simulated proximity sensor. */
const RAW_PROXIMITY_MAX = 1000;

const whole = (value: number, low: number, high: number): number =>
  Number.isFinite(value) ? Math.round(clamp(value, low, high)) : low;

/** A callback for all changes, or for those of some parts. */
interface Observer {
  readonly changed: (panel: SimulatedPanel) => void;
  readonly parts: readonly (keyof SimulatedPanel)[] | undefined;
}

/** The hardware of the simulated panel, in memory. It outlives its drivers, as real hardware does. */
export class SimulatedDevice {
  #panel: SimulatedPanel = initialPanel;
  readonly #observers = new Set<Observer>();
  readonly #said = new SaidSound();

  /** The current state of the hardware. */
  get panel(): SimulatedPanel {
    return this.#panel;
  }

  /** Calls `changed` after each change, or after those of `parts`, until the returned function is called. */
  observe(changed: (panel: SimulatedPanel) => void, parts?: readonly (keyof SimulatedPanel)[]): () => void {
    const observer: Observer = { changed, parts };
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  }

  /**
   * Sets the screen's raw brightness (clamped to 0 to rawMax), its power, or both; an absent or null part stays as it
   * is.
   */
  setScreen(part: { readonly raw?: number | null; readonly powered?: boolean | null }): void {
    const { screen } = this.#panel;
    this.#change({
      screen: {
        ...screen,
        raw: part.raw === undefined || part.raw === null ? screen.raw : whole(part.raw, 0, RAW_MAX),
        powered: part.powered ?? screen.powered,
      },
    });
  }

  /** Sets the music stream's volume in percent (clamped to 0 to 100) and its mute. */
  setVolume(percent: number, muted: boolean): void {
    this.#change({ volume: { percent: whole(percent, 0, 100), muted } });
  }

  /** Sets the LED; colours are 0 to 255. */
  setLed(led: SimulatedPanel['led']): void {
    this.#change({
      led: { on: led.on, red: whole(led.red, 0, 255), green: whole(led.green, 0, 255), blue: whole(led.blue, 0, 255) },
    });
  }

  /** Opens or closes one relay, 1 to 4; another number changes nothing. */
  setRelay(relay: number, closed: boolean): void {
    this.#change({ relays: this.#panel.relays.map((was, index) => (index + 1 === relay ? closed : was)) });
  }

  /** Sets the light behind the buttons, 0 to 255. */
  setButtonBacklight(level: number): void {
    this.#change({ buttonBacklight: whole(level, 0, 255) });
  }

  /** Lights one lamp beside a button, 1 to 4; another number changes nothing. */
  setButtonLed(button: number, on: boolean): void {
    this.#change({ buttonLeds: this.#panel.buttonLeds.map((was, index) => (index + 1 === button ? on : was)) });
  }

  /** Presses one button and lets it go, 1 to 4; another number changes nothing. */
  press(button: number, at: number): void {
    this.hold(button, true, at);
    this.hold(button, false, at);
  }

  /** Holds one button down or lets it go, 1 to 4; another number changes nothing. */
  hold(button: number, down: boolean, at: number): void {
    this.#change({
      held: this.#panel.held.map((was, index) => (index + 1 === button ? down : was)),
      buttons: this.#panel.buttons.map((was, index) => (index + 1 === button && down ? at : was)),
    });
  }

  /**
   * Sets temperature in degrees Celsius (-40 to 125) and humidity in percent (0 to 100); an absent part stays as it is.
   */
  setAir({
    celsius = this.#panel.celsius,
    humidity = this.#panel.humidity,
  }: {
    readonly celsius?: number | undefined;
    readonly humidity?: number | undefined;
  }): void {
    this.#change({ celsius: clamp(celsius, -40, 125), humidity: clamp(humidity, 0, 100) });
  }

  /** Sets the raw reading of the proximity sensor, 0 to 1000. */
  setProximity(raw: number): void {
    this.#change({ proximity: whole(raw, 0, RAW_PROXIMITY_MAX) });
  }

  /** Changes the state of the Zigbee gateway; an absent part stays as it is. */
  setZigbee(part: Partial<SimulatedPanel['zigbee']>): void {
    const cpuPercent = clamp(part.cpuPercent ?? this.#panel.zigbee.cpuPercent, 0, 100);
    this.#change({ zigbee: { ...this.#panel.zigbee, ...part, cpuPercent } });
  }

  /** Pulls a part out or puts it back. */
  plug(part: SimulatedPart, plugged: boolean): void {
    const others = this.#panel.unplugged.filter((one) => one !== part);
    this.#change({ unplugged: plugged ? others : [...others, part] });
  }

  /** True if the part is plugged in. */
  has(part: SimulatedPart): boolean {
    return !this.#panel.unplugged.includes(part);
  }

  /** Changes the state of the camera; an absent part stays as it is. */
  setCamera(part: Partial<SimulatedPanel['camera']>): void {
    this.#change({ camera: { ...this.#panel.camera, ...part } });
  }

  /** Changes the state of the microphone; an absent part stays as it is. */
  setMicrophone(part: Partial<SimulatedPanel['microphone']>): void {
    this.#change({ microphone: { ...this.#panel.microphone, ...part } });
  }

  /** Says so many samples (s16le mono at 16 kHz) to the microphone, after what is being said. */
  say(pcm: Uint8Array): void {
    this.#said.add(pcm);
  }

  /** The microphone as its ear needs it: its states, and the samples that it delivers. */
  get microphone(): OpenMicrophone {
    const { plugged, permitted, muted, stalled, occupied } = this.#panel.microphone;
    return { plugged, permitted, muted, stalled, jammed: occupied, take: (bytes) => this.#said.take(bytes) };
  }

  /** Sets the reading of the light sensor in lux, 0 to 100,000. */
  setLux(lux: number): void {
    this.#change({ lux: whole(lux, 0, 100_000) });
  }

  /** Counts a reboot; nothing is rebooted. */
  reboot(): void {
    this.#change({ reboots: this.#panel.reboots + 1 });
  }

  #change(part: Partial<SimulatedPanel>): void {
    this.#panel = { ...this.#panel, ...part };
    for (const { changed, parts } of this.#observers)
      if (parts === undefined || parts.some((name) => Object.hasOwn(part, name))) changed(this.#panel);
  }
}
