import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { Verdict } from '../kit/verdict.ts';

/** What somebody used: a finger or pen on glass, a key or button, a button of a mouse. */
export type InputKind = 'touch' | 'key' | 'pointer';

/** How many devices of each kind are being listened to. */
export interface InputCounts {
  readonly touch: number;
  readonly key: number;
  readonly pointer: number;
}

/** What the input driver reports; which key it was, or where the finger was, never leaves the driver. */
export type InputFact =
  /** The devices listened to after a look; sent at the first look and when it changed. */
  | { readonly type: 'input.devices'; readonly counts: InputCounts; readonly verdict: Verdict }
  /** Somebody touched or pressed something; at most once per 20 ms. `at` is the kernel's own time of the event. */
  | { readonly type: 'input.touched'; readonly kind: InputKind; readonly at: EpochMs };

/** What the input driver is told. */
export interface InputDriverCommand {
  /** Look for devices now instead of at the next turn. */
  readonly type: 'input.look';
}

/** One display as the wake decision needs it. */
export interface SeenDisplay {
  /** False when it is there and gives no light; null while unknown. */
  readonly lit: boolean | null;
  /** What it is being switched to; null when nothing is under way. */
  readonly wanted: boolean | null;
  /** Who changed it last, and when its write was done. */
  readonly changed: { readonly by: string; readonly at: EpochMs } | null;
}

/** What wakes the screens is told. */
export interface WakeCommand {
  readonly type: 'wake.light';
  /** Registry ids of the displays to switch on. */
  readonly displays: readonly string[];
}

export type InputEvent =
  | InputFact
  | { readonly type: 'screen.seen'; readonly id: string; readonly display: SeenDisplay }
  /** Look for devices now. */
  | { readonly type: 'input.probe' }
  | { readonly type: 'input.stop' };

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
}

/** Who the screen says changed it when a touch or a key did. */
export const TOUCH_ORIGIN = 'touch';
