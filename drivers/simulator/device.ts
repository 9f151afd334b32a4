import type { SimulatedPanel } from '#machines/simulator/events.ts';
import { clamp } from '#machines/kit/units.ts';

/** Raw brightness range of the simulated screen, as wide as a common 10-bit backlight. */
const RAW_MAX = 1023;
/** Simulated buttons and relays, as on a common four-button panel. */
const PARTS = 4;

const initialPanel: SimulatedPanel = {
  screen: { raw: 820, rawMax: RAW_MAX, powered: true },
  led: { on: false, red: 255, green: 191, blue: 0 },
  relays: Array.from({ length: PARTS }, () => false),
  buttons: Array.from({ length: PARTS }, () => null),
  lux: 120,
  volume: { percent: 40, muted: false },
  reboots: 0,
};

const whole = (value: number, low: number, high: number): number => (Number.isFinite(value) ? Math.round(clamp(value, low, high)) : low);

/** The hardware of the simulated panel, in memory. It outlives its drivers, as real hardware does. */
export class SimulatedDevice {
  #panel: SimulatedPanel = initialPanel;
  readonly #observers = new Set<(panel: SimulatedPanel) => void>();

  /** The hardware as it is now. */
  get panel(): SimulatedPanel {
    return this.#panel;
  }

  /** Calls back after each change, until the returned function is called. */
  observe(observer: (panel: SimulatedPanel) => void): () => void {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  }

  /** Sets the screen's raw brightness (held inside 0 to rawMax) and/or its power; absent or null leaves a part. */
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

  /** Sets the music stream's volume in percent (held inside 0 to 100) and whether it is muted. */
  setVolume(percent: number, muted: boolean): void {
    this.#change({ volume: { percent: whole(percent, 0, 100), muted } });
  }

  /** Sets the LED; colours are 0 to 255. */
  setLed(led: SimulatedPanel['led']): void {
    this.#change({ led: { on: led.on, red: whole(led.red, 0, 255), green: whole(led.green, 0, 255), blue: whole(led.blue, 0, 255) } });
  }

  /** Opens or closes one relay, 1 to 4; another number changes nothing. */
  setRelay(relay: number, closed: boolean): void {
    this.#change({ relays: this.#panel.relays.map((was, index) => (index + 1 === relay ? closed : was)) });
  }

  /** Presses one button, 1 to 4; another number changes nothing. */
  press(button: number, at: number): void {
    this.#change({ buttons: this.#panel.buttons.map((was, index) => (index + 1 === button ? at : was)) });
  }

  /** Sets the light on the sensor in lux, 0 to 100000. */
  setLux(lux: number): void {
    this.#change({ lux: whole(lux, 0, 100_000) });
  }

  /** Counts a reboot; nothing is rebooted. */
  reboot(): void {
    this.#change({ reboots: this.#panel.reboots + 1 });
  }

  #change(part: Partial<SimulatedPanel>): void {
    this.#panel = { ...this.#panel, ...part };
    for (const observer of this.#observers) observer(this.#panel);
  }
}
