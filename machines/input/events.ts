import type { DriverLogic } from '../kit/placeholder.ts';
import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { Verdict } from '../kit/verdict.ts';

/** The kind of device used: a finger or pen on a touch screen, a key or button, a mouse button. */
export type InputKind = 'touch' | 'key' | 'pointer';

/** How many devices of each kind are listened to. */
export interface InputCounts {
  readonly touch: number;
  readonly key: number;
  readonly pointer: number;
}

/** Actions of a hardware button, as Home Assistant's event entity names them. */
export const buttonEvents = ['press', 'release', 'long_press', 'double_press'] as const;

export type ButtonEvent = (typeof buttonEvents)[number];

/** A press or release of a button, by the kernel's clock. */
export interface ButtonChange {
  /** Name in the profile, `a-z0-9_`. */
  readonly name: string;
  readonly down: boolean;
  readonly at: EpochMs;
  /** How long it must be held for a long press; 0 if it has none. */
  readonly longMs: Milliseconds;
  /** Longest time between two presses that count as a double press; 0 if it has none. */
  readonly doubleMs: Milliseconds;
}

/** One action of a button. */
interface ButtonOccurrence {
  /** Counts up from 1 since this part started, so that each one is published once. */
  readonly sequence: number;
  readonly button: string;
  readonly event: ButtonEvent;
  readonly at: EpochMs;
}

interface ButtonState {
  /** Start of the current press; null while it is up. */
  readonly downAt: EpochMs | null;
  readonly longMs: Milliseconds;
  /** True if this press was already reported as a long press. */
  readonly long: boolean;
  /** Start of the press that a second one could double; null after a double or a long press. */
  readonly firstAt: EpochMs | null;
}

/** All named buttons with their latest events. */
export interface Buttons {
  readonly states: Readonly<Record<string, ButtonState>>;
  /** The newest button events, oldest first. */
  readonly occurrences: readonly ButtonOccurrence[];
  readonly sequence: number;
  /** Button events in the second that began at `since`. */
  readonly rate: { readonly since: EpochMs; readonly count: number };
  /** Button events left out because too many came within one second. */
  readonly dropped: number;
}

/** A hardware button of the profile, and whether a device with it is being listened to. */
export interface NamedButton {
  readonly name: string;
  readonly here: boolean;
  /**
   * Why it is never read: the profile assigns it to a key that people type with, or to a device with letter keys.
   * Absent if it may be read.
   */
  readonly refused?: 'typing-key' | 'typing-device';
}

/**
 * Devices grabbed so that no other program receives their touches. `refused` is why the last attempt failed: `busy`
 * if another program holds the device, `unsupported` if this machine has no such call, `failed` if the kernel
 * refused; null if it worked or was never needed.
 */
export interface Grab {
  /** Devices held by Sconce alone right now. */
  readonly held: number;
  readonly refused: 'busy' | 'unsupported' | 'failed' | null;
}

/**
 * Reported by the input driver. Which key was pressed, or where, never leaves the driver, except for the buttons that
 * the profile names.
 */
export type InputFact =
  /** The devices listened to after a scan; sent at the first scan and after a change. */
  | {
      readonly type: 'input.devices';
      readonly counts: InputCounts;
      readonly verdict: Verdict;
      readonly buttons?: readonly NamedButton[];
      /** Number of letter keys of each device that has any, also of those that may not be read; none if absent. */
      readonly letterKeys?: readonly number[];
    }
  /** An on-screen keyboard of this user runs, or no longer does. */
  | { readonly type: 'input.on-screen-keyboard'; readonly runs: boolean }
  /** A touch or a press; at most once per 20 ms. `at` is the kernel's time of the event. */
  | { readonly type: 'input.touched'; readonly kind: InputKind; readonly at: EpochMs }
  /** A button of the profile went down or up; a button whose device is gone goes up. */
  | ({ readonly type: 'input.button' } & ButtonChange)
  /** The answer to `input.settle`: every change until this moment was reported. */
  | { readonly type: 'input.settled'; readonly at: EpochMs }
  | ({ readonly type: 'input.grabbed' } & Grab);

/** Commands of the input driver. */
export type InputDriverCommand =
  /** Scan for devices now instead of at the next interval. */
  | { readonly type: 'input.scan' }
  /**
   * From now on, grab the devices so that no other program receives touches, or release them; a touch in progress
   * stays with the program it began with.
   */
  | { readonly type: 'input.grab'; readonly on: boolean }
  /** Report every pending change, then `input.settled`. */
  | { readonly type: 'input.settle' };

/** Contract of a driver of touch screens, keys and buttons. */
export type InputDriver = DriverLogic<InputDriverCommand, undefined, InputFact>;

/** One display as the wake decision needs it. */
export interface ObservedDisplay {
  /** False if the display is present and dark; null while unknown. */
  readonly lit: boolean | null;
  /** The state it is being switched to; null if no write is pending. */
  readonly wanted: boolean | null;
  /** What changed it last, and when that write was done. */
  readonly changed: { readonly by: string; readonly at: EpochMs } | null;
}

/** Command of the worker that wakes the screens. */
export interface WakeCommand {
  readonly type: 'wake.light';
  /** Registry ids of the displays to switch on. */
  readonly displays: readonly string[];
}

/** Reported by the follower of the screens. */
export interface ObservedFact {
  readonly type: 'screen.observed';
  readonly id: string;
  readonly display: ObservedDisplay;
}

export type InputEvent =
  | InputFact
  | ObservedFact
  /** A button has been down for as long as a long press takes. */
  | { readonly type: 'button.due' }
  /** Scan for devices now. */
  | { readonly type: 'input.probe' };

/** What a person can type on. */
export interface Keyboards {
  /** Devices with all letter keys. */
  readonly connected: number;
  /** True if an on-screen keyboard runs in the session. */
  readonly onScreen: boolean;
}

/** Public facts about touch and keys. */
export interface InputContext {
  readonly verdict: Verdict;
  readonly counts: InputCounts;
  readonly keyboards: Keyboards;
  /** The last touch or press since the agent started. */
  readonly last: { readonly kind: InputKind; readonly at: EpochMs } | null;
  /** How often a touch or press woke a screen since the agent started. */
  readonly wakes: number;
  /** From the kernel's event to the finished write that lit the screen; -1 while unmeasured. */
  readonly lastWakeMs: Milliseconds;
  /** True if other programs must not receive touches now. */
  readonly grabs: boolean;
  readonly grab: Grab;
  /** The buttons that the profile names. */
  readonly named: readonly NamedButton[];
  readonly buttons: Buttons;
}

/** Origin that a screen reports when a touch or a key changed it. */
export const TOUCH_ORIGIN = 'touch';

export interface InputActor {
  readonly id: 'input';
  readonly context: InputContext;
  readonly event: Extract<InputEvent, { readonly type: 'input.probe' }>;
}
