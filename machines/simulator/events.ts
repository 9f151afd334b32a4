import type { EpochMs } from '../kit/units.ts';

/** The state of the simulated panel's hardware, as its page draws it. */
export interface SimulatedPanel {
  readonly screen: { readonly raw: number; readonly rawMax: number; readonly powered: boolean };
  readonly led: { readonly on: boolean; readonly red: number; readonly green: number; readonly blue: number };
  /** Four relays, true is closed. */
  readonly relays: readonly boolean[];
  /** When each of the four buttons was last pressed, null for never. */
  readonly buttons: readonly (EpochMs | null)[];
  /** Light on the sensor in lux, 0 to 100000. */
  readonly lux: number;
  readonly volume: { readonly percent: number; readonly muted: boolean };
  /** How often it was "rebooted"; a simulated panel reboots nothing. */
  readonly reboots: number;
}

/** What hands do to the simulated panel; the driver is told the same. */
export type SimulatorDriverCommand =
  /** Buttons and relays are numbered from 1, as on a panel's front. */
  | { readonly type: 'simulator.press'; readonly button: number }
  | { readonly type: 'simulator.light'; readonly lux: number }
  | { readonly type: 'simulator.relay'; readonly relay: number; readonly closed: boolean }
  | { readonly type: 'simulator.led'; readonly on: boolean; readonly red: number; readonly green: number; readonly blue: number }
  /** A finger on the simulated screen's own switch: what somebody does behind the agent's back. */
  | { readonly type: 'simulator.screen'; readonly raw?: number; readonly powered?: boolean };

/** What the simulated hardware reports: all of it, after each change and once at start. */
export interface SimulatorFact {
  readonly type: 'simulator.changed';
  readonly panel: SimulatedPanel;
}

export type SimulatorEvent = SimulatorDriverCommand | SimulatorFact | { readonly type: 'simulator.stop' };

/** Public facts of the simulated panel. */
export interface SimulatorContext {
  readonly panel: SimulatedPanel;
}
