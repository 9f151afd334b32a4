import type { SleepReason } from '../auto-sleep/events.ts';
import type { BrightnessSettings, Level, RoomView } from '../auto-brightness/events.ts';
import type { DriverLogic } from '../kit/placeholder.ts';
import type { Result } from '../kit/result.ts';
import type { EpochMs, Milliseconds } from '../kit/units.ts';

/** The parts of the simulated panel that can be unplugged and reconnected. */
export const simulatedParts = [
  'led',
  'button_backlight',
  'button_leds',
  'relays',
  'buttons',
  'illuminance',
  'climate',
  'proximity',
  'zigbee',
  'keyboard',
] as const;

export type SimulatedPart = (typeof simulatedParts)[number];

/** States of the simulated camera, each true or false. */
export const cameraStates = ['plugged', 'permitted', 'blind', 'jammed', 'occupied'] as const;

/** The camera of the simulated panel, which films a drawn room. */
export interface SimulatedCamera {
  readonly plugged: boolean;
  /** False if the system does not let this user open it. */
  readonly permitted: boolean;
  /** True while its lens is covered: its pictures are black. */
  readonly blind: boolean;
  /** True while it delivers nothing, although it is open. */
  readonly jammed: boolean;
  /** True while another program streams from it. */
  readonly occupied: boolean;
}

/** States of the simulated microphone, each true or false. */
export const microphoneStates = ['plugged', 'permitted', 'muted', 'stalled', 'occupied'] as const;

/** The microphone of the simulated panel, which takes what its page says (`simulator.say`). */
export interface SimulatedMicrophone {
  readonly plugged: boolean;
  /** False if the system does not let this user open it. */
  readonly permitted: boolean;
  /** True while it delivers zeros; what is said meanwhile is lost. */
  readonly muted: boolean;
  /** True while it delivers nothing, although it is open. */
  readonly stalled: boolean;
  /** True while another program holds it, so that it cannot be opened. */
  readonly occupied: boolean;
}

/** The state of the simulated panel's hardware, as its page draws it. */
export interface SimulatedPanel {
  readonly screen: { readonly raw: number; readonly rawMax: number; readonly powered: boolean };
  readonly led: { readonly on: boolean; readonly red: number; readonly green: number; readonly blue: number };
  /** Four relays; true is closed. */
  readonly relays: readonly boolean[];
  /** Raw level of the light behind the buttons, 0 to 255. */
  readonly buttonBacklight: number;
  /** Four small LEDs, one beside each button. */
  readonly buttonLeds: readonly boolean[];
  /** When each of the four buttons was last pressed; null for never. */
  readonly buttons: readonly (EpochMs | null)[];
  /** True for each of the four buttons that is held down now. */
  readonly held: readonly boolean[];
  /** Light on the sensor in lux, 0 to 100000. */
  readonly lux: number;
  /** Temperature at the panel in degrees Celsius, -40 to 125. */
  readonly celsius: number;
  /** Relative humidity at the panel in percent, 0 to 100. */
  readonly humidity: number;
  /** Raw reading of the proximity sensor, 0 to 1000; it rises as something comes nearer. */
  readonly proximity: number;
  /** The Zigbee gateway's radio process. */
  readonly zigbee: { readonly running: boolean; readonly joined: boolean; readonly cpuPercent: number };
  /** Parts that are unplugged now: their drivers find no device. */
  readonly unplugged: readonly SimulatedPart[];
  readonly volume: { readonly percent: number; readonly muted: boolean };
  readonly camera: SimulatedCamera;
  readonly microphone: SimulatedMicrophone;
  /** How often it was "rebooted"; a simulated panel reboots nothing. */
  readonly reboots: number;
}

/** Manual actions on the simulated panel, passed on to the driver. */
export type SimulatorDriverCommand =
  /** Buttons and relays are numbered from 1, as on a panel's front. */
  | { readonly type: 'simulator.press'; readonly button: number }
  | { readonly type: 'simulator.hold'; readonly button: number; readonly down: boolean }
  | { readonly type: 'simulator.light'; readonly lux: number }
  | { readonly type: 'simulator.air'; readonly celsius?: number; readonly humidity?: number }
  | { readonly type: 'simulator.near'; readonly proximity: number }
  | {
      readonly type: 'simulator.zigbee';
      readonly running?: boolean;
      readonly joined?: boolean;
      readonly cpuPercent?: number;
    }
  /** Unplugs or reconnects a part. */
  | { readonly type: 'simulator.plug'; readonly part: SimulatedPart; readonly plugged: boolean }
  | { readonly type: 'simulator.relay'; readonly relay: number; readonly closed: boolean }
  | {
      readonly type: 'simulator.led';
      readonly on: boolean;
      readonly red: number;
      readonly green: number;
      readonly blue: number;
    }
  /** Lights the buttons from behind: 0 to 255. */
  | { readonly type: 'simulator.backlight'; readonly level: number }
  /** Unplugs, forbids, covers, jams or occupies the camera, or ends that; an absent part stays as it is. */
  | ({ readonly type: 'simulator.camera' } & Partial<SimulatedCamera>)
  /** Unplugs, forbids, mutes, stalls or occupies the microphone, or ends that; an absent part stays as it is. */
  | ({ readonly type: 'simulator.microphone' } & Partial<SimulatedMicrophone>)
  /** Uses the simulated screen's own switch, behind the agent's back. */
  | { readonly type: 'simulator.screen'; readonly raw?: number; readonly powered?: boolean };

/** Reported by the simulated hardware: all of it, after each change and once at the start. */
export interface SimulatorFact {
  readonly type: 'simulator.changed';
  readonly panel: SimulatedPanel;
}

/** Contract of the driver of the simulated hardware's own page. */
export type SimulatorDriver = DriverLogic<SimulatorDriverCommand, undefined, SimulatorFact>;

/** Five minutes of a generated day. */
export interface DayFrame {
  /** 0 to 1435. */
  readonly minuteOfDay: number;
  readonly lux: number;
  /** Null while nothing is decided, as is `level`. */
  readonly expectedLux: number | null;
  readonly level: Level | null;
  readonly state: RoomView['state'];
}

/** A minute of a generated evening. */
export interface EveningFrame {
  /** 0 to 479, after 18:00. */
  readonly minute: number;
  /** True while the person is in the room. */
  readonly isPresent: boolean;
  /** True while a sensor sees a person. */
  readonly isSeen: boolean;
  readonly isLit: boolean;
  readonly reason: SleepReason;
}

/** A generated day, and how the brightness follows it. */
export interface SimulatedDay {
  readonly seed: number;
  readonly settings: BrightnessSettings;
  /** 288, from midnight on. */
  readonly frames: readonly DayFrame[];
  /** Its evening of 480 minutes, and how the screen sleeps. */
  readonly evening: readonly EveningFrame[];
}

/** `busy`: another day is being computed. */
export type DayOutcome = Result<SimulatedDay, 'day-busy'>;

/** Asks for a day of these settings; the same seed, a whole number from 1 on, gives the same light. */
export interface DayRequest {
  readonly type: 'simulator.day';
  readonly requestId: string;
  readonly seed: number;
  readonly settings: BrightnessSettings;
}

export interface DayFact {
  readonly type: 'simulator.played';
  readonly requestId: string;
  readonly outcome: DayOutcome;
}

/** Contract of the driver that computes days. */
export type DayDriver = DriverLogic<DayRequest, undefined, DayFact>;

/** Why nothing was said: neither a text nor a sound that is accepted, no program that speaks, or it failed. */
export type SayRefusal = 'bad-value' | 'bad-sound' | 'no-speech-program' | 'speech-failed';

/** What was said, and how long it sounds. */
export type SayOutcome = Result<{ readonly ms: Milliseconds }, SayRefusal>;

/** Says to the simulated microphone what a file holds: `{"text": ...}`, or a sound. Neither is in an event. */
export interface SayRequest {
  readonly type: 'simulator.say';
  readonly requestId: string;
  readonly file: string;
}

export interface SayFact {
  readonly type: 'simulator.said';
  readonly requestId: string;
  readonly outcome: SayOutcome;
}

/** Contract of the driver that speaks. */
export type SpeechDriver = DriverLogic<SayRequest, undefined, SayFact>;

export type SimulatorEvent = SimulatorDriverCommand | SimulatorFact | DayRequest | DayFact | SayRequest | SayFact;

/** Public facts of the simulated panel. */
export interface SimulatorContext {
  readonly panel: SimulatedPanel;
}

export interface SimulatorActor {
  readonly id: 'simulator';
  readonly context: SimulatorContext;
  readonly event: SimulatorDriverCommand | DayRequest | SayRequest;
  readonly asks: { readonly 'simulator.day': DayOutcome; readonly 'simulator.say': SayOutcome };
}
