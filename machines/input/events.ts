import type { DriverLogic } from '../kit/placeholder.ts';
import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { Verdict } from '../kit/verdict.ts';

/** What somebody used: a finger or pen on a touch screen, a key or button, a button of a mouse. */
export type InputKind = 'touch' | 'key' | 'pointer';

/** How many devices of each kind are being listened to. */
export interface InputCounts {
  readonly touch: number;
  readonly key: number;
  readonly pointer: number;
}

/** What a hardware button does, as Home Assistant's event entity names it. */
export const buttonEvents = ['press', 'release', 'long_press', 'double_press'] as const;

/** One of the things a hardware button does. */
export type ButtonEvent = (typeof buttonEvents)[number];

/** A button that went down or up, by the clock of the kernel. */
export interface ButtonChange {
  /** Name in the profile, `a-z0-9_`. */
  readonly name: string;
  readonly down: boolean;
  readonly at: EpochMs;
  /** How long it must be held for a long press; 0: it knows none. */
  readonly longMs: Milliseconds;
  /** Longest time from one press to the next for the two to be a double press; 0: it knows none. */
  readonly doubleMs: Milliseconds;
}

/** One thing that a button did. */
interface ButtonOccurrence {
  /** Counts up from 1 since this part started, so that each is published once. */
  readonly sequence: number;
  readonly button: string;
  readonly event: ButtonEvent;
  readonly at: EpochMs;
}

/** What is remembered of one button. */
interface ButtonState {
  /** Since when it is down; null while it is up. */
  readonly downAt: EpochMs | null;
  readonly longMs: Milliseconds;
  /** Whether this hold was already reported as a long press. */
  readonly long: boolean;
  /** When the press began that a second one could double; null after a double or a long press. */
  readonly firstAt: EpochMs | null;
}

/** All named buttons with what they did last. */
export interface Buttons {
  readonly states: Readonly<Record<string, ButtonState>>;
  /** The newest history events, oldest first. */
  readonly occurrences: readonly ButtonOccurrence[];
  readonly sequence: number;
  /** History events of the second that began at `since`. */
  readonly rate: { readonly since: EpochMs; readonly count: number };
  /** History events that were left out because too many came in one second. */
  readonly dropped: number;
}

/** A hardware button of the profile, and whether a device that has it is being listened to. */
export interface NamedButton {
  readonly name: string;
  readonly here: boolean;
  /**
   * Why it is never read: the profile puts it on a key that people type with, or on a device with letter keys. Absent
   * where it may be.
   */
  readonly refused?: 'typing-key' | 'typing-device';
}

/**
 * How devices are grabbed, so that touches are kept from everybody else. `refused` is why that did not work the last
 * time it was tried: `busy` another program holds the device for itself, `unsupported` this machine offers no such
 * call, `failed` the kernel would not; null when it worked or was never needed.
 */
export interface Grab {
  /** Devices held for Sconce alone right now. */
  readonly held: number;
  readonly refused: 'busy' | 'unsupported' | 'failed' | null;
}

/**
 * What the input driver reports; which key it was, or where the finger was, never leaves the driver, the buttons apart
 * that the profile names.
 */
export type InputFact =
  /** The devices listened to after a scan; sent at the first scan and when it changed. */
  | {
      readonly type: 'input.devices';
      readonly counts: InputCounts;
      readonly verdict: Verdict;
      readonly buttons?: readonly NamedButton[];
    }
  /** Somebody touched or pressed something; at most once per 20 ms. `at` is the kernel's own time of the event. */
  | { readonly type: 'input.touched'; readonly kind: InputKind; readonly at: EpochMs }
  /** A button that the profile names went down or up; one whose device is gone goes up. */
  | ({ readonly type: 'input.button' } & ButtonChange)
  /** The answer to `input.settle`: every change until this moment has been reported. */
  | { readonly type: 'input.settled'; readonly at: EpochMs }
  | ({ readonly type: 'input.grabbed' } & Grab);

/** Commands of the input driver. */
export type InputDriverCommand =
  /** Scan for devices now instead of at the next turn. */
  | { readonly type: 'input.scan' }
  /**
   * From now on, grab the devices so that touches are kept from everybody else, or give them back; a touch that is
   * under way stays with whom it began.
   */
  | { readonly type: 'input.grab'; readonly on: boolean }
  /** Report every change that has come, then `input.settled`. */
  | { readonly type: 'input.settle' };

/** Contract of a driver of touch screens, keys and buttons. */
export type InputDriver = DriverLogic<InputDriverCommand, undefined, InputFact>;

/** One display as the wake decision needs it. */
export interface ObservedDisplay {
  /** False when it is there and gives no light; null while unknown. */
  readonly lit: boolean | null;
  /** What it is being switched to; null when nothing is under way. */
  readonly wanted: boolean | null;
  /** Who changed it last, and when its write was done. */
  readonly changed: { readonly by: string; readonly at: EpochMs } | null;
}

/** Command of what wakes the screens. */
export interface WakeCommand {
  readonly type: 'wake.light';
  /** Registry ids of the displays to switch on. */
  readonly displays: readonly string[];
}

/** What the follower of the screens reports. */
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

/** Public facts about touch and keys. */
export interface InputContext {
  readonly verdict: Verdict;
  readonly counts: InputCounts;
  /** The last touch or press since the agent started. */
  readonly last: { readonly kind: InputKind; readonly at: EpochMs } | null;
  /** How often a touch or press woke a screen since the agent started. */
  readonly wakes: number;
  /** From the kernel's event to the finished write that lit the screen; -1 while unmeasured. */
  readonly lastWakeMs: Milliseconds;
  /** Whether touches are to be kept from everybody else now. */
  readonly grabs: boolean;
  readonly grab: Grab;
  /** The buttons that the profile names. */
  readonly named: readonly NamedButton[];
  readonly buttons: Buttons;
}

/** Who the screen says changed it when a touch or a key did. */
export const TOUCH_ORIGIN = 'touch';

/** What the actor of touch and keys shows to the rest of the house. */
export interface InputActor {
  readonly id: 'input';
  readonly context: InputContext;
  readonly event: Extract<InputEvent, { readonly type: 'input.probe' }>;
}
