import type { EventObject } from 'xstate';

import type { DriverLogic } from '../kit/placeholder.ts';
import type { EarFailure } from '../voice/events.ts';

/** Result of a passive scan for microphones, which opens none and starts no process. */
export type MicrophoneScan =
  /** `undetermined`: the system would not list them, or a sound server elsewhere has them. */
  | { readonly found: 'none'; readonly detail: 'not_enumerated' | 'undetermined' | 'suppressed_by_profile' }
  /**
   * Capture devices of the kernel; `refused` counts those that neither this process nor a sound server for it may open.
   * `lacks` is the missing recorder: `parec` for a sound server, `arecord` without one; absent if one is installed.
   */
  | {
      readonly found: 'devices';
      readonly count: number;
      readonly refused: number;
      readonly lacks?: 'parec' | 'arecord';
    };

export interface MicrophoneDriverCommand {
  readonly type: 'microphone.enumerate';
}
export interface MicrophoneFact {
  readonly type: 'microphone.enumerated';
  readonly scan: MicrophoneScan;
  /** Name of the user that the agent runs as, for the command that grants access; null while unknown. */
  readonly user: string | null;
}
export type MicrophoneDriver = DriverLogic<MicrophoneDriverCommand, undefined, MicrophoneFact>;

/**
 * Whether a person at this panel has allowed the microphone. `needed`: not yet; `asking`: the question is on the
 * screen; `denied`: it was refused or ran out, and is asked again when voice is turned on again or the owner asks.
 * `no-place`: there is no screen to ask on (`sconce microphone allow`); it is asked once more when one appears.
 */
export type MicrophonePermission = 'allowed' | 'needed' | 'asking' | 'denied' | 'no-place';

/** From the follower of the settings and of voice, at once and with each change. */
export interface MicrophoneSettingsFact {
  readonly type: 'microphone.settings';
  readonly isVoiceOn: boolean;
  /** `microphone_access`, with the consent of this machine. */
  readonly isAllowed: boolean;
  /** Why voice can use no source; null if it can, before its first look, and while it is off. */
  readonly earFailure: EarFailure | null;
}

/** The end of a question at the panel. An approved one is reported once it is stored. */
export interface MicrophoneAnswer {
  readonly type: 'microphone.answered';
  readonly answer: 'approved' | 'denied' | 'expired' | 'no-place';
}

/** Asks a person at the panel when it starts, and takes the question back when it is stopped before the answer. */
export type MicrophoneQuestion = DriverLogic<EventObject, undefined, MicrophoneAnswer>;

/** There is a place to ask again, which there was not before. */
export interface MicrophonePlaceFact {
  readonly type: 'microphone.place-appeared';
}
/** Follows the places for questions, while there was none. */
export type MicrophonePlaces = DriverLogic<EventObject, undefined, MicrophonePlaceFact>;

/** Looks for what `sconce microphone` has left in the data folder, and carries it out. */
export interface MicrophoneOrderCommand {
  readonly type: 'orders.look';
}
export type MicrophoneOrders = DriverLogic<MicrophoneOrderCommand, undefined, never>;

export type MicrophoneEvent =
  | MicrophoneFact
  /** Scan again now, and look for what `sconce microphone` has left. */
  | { readonly type: 'microphone.probe' }
  /** Ask at the panel now, if voice is on and it is not allowed. */
  | { readonly type: 'microphone.ask' }
  | MicrophoneSettingsFact
  | MicrophoneAnswer
  | MicrophonePlaceFact;

/** Public facts: whether there is a microphone and whether it may be used. */
export interface MicrophoneContext {
  /** Null before the first scan. */
  readonly scan: MicrophoneScan | null;
  readonly user: string | null;
  readonly isVoiceOn: boolean;
  readonly permission: MicrophonePermission;
  readonly earFailure: EarFailure | null;
}

export interface MicrophoneActor {
  readonly id: 'microphone';
  readonly context: MicrophoneContext;
  readonly event: Extract<MicrophoneEvent, { readonly type: 'microphone.probe' | 'microphone.ask' }>;
}
