import type { InUseRefusal } from '../in-use/events.ts';
import type { DriverLogic } from '../kit/placeholder.ts';
import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { VoicePhase } from '../kit/voice-phase.ts';

/** Microphone health, judged once a second while it is open. */
export const earHealths = ['ok', 'no-device', 'refused', 'muted', 'silent', 'stalled', 'clipping'] as const;
export type EarHealth = (typeof earHealths)[number];

/** A source of sound that can be recorded; monitors of loudspeakers are never listed. */
export interface EarSource {
  /** The sound system's name, at most 256 characters; the value of `voice_source`. */
  readonly name: string;
  /** For people, at most 128 characters. */
  readonly title: string;
  /** `echo-cancelled` is told by its module, or by what the sound system says of its class. */
  readonly kind: 'microphone' | 'echo-cancelled';
  readonly isDefault: boolean;
  readonly isMuted: boolean;
}

/** What the settings ask of the ear. */
export interface EarChoice {
  readonly audioSource: 'voice_recognition' | 'mic' | 'voice_communication';
  /** Name of one source; "" for the choice of `audioSource`. */
  readonly source: string;
  /** -24 to 24; saturating, on what is sent only. */
  readonly gainDb: number;
}

/** The ear: one capture at a time, for a turn or a check. Samples go into the turn's channel, never into events. */
export type EarCommand =
  /** Lists the sources, and which one this choice would take; answered by `ear.sources`. */
  | { readonly type: 'ear.probe'; readonly choice: EarChoice }
  /** Opens the microphone; with `chime` plays the chime, and silences what is heard until 150 ms after its end. */
  | { readonly type: 'ear.open'; readonly turn: number; readonly choice: EarChoice; readonly chime: boolean }
  /** The mark is shown: what was collected and what follows may leave the panel. */
  | { readonly type: 'ear.release'; readonly turn: number }
  /** Ends the speech: closes the microphone, and an empty frame follows what was heard. */
  | { readonly type: 'ear.finish'; readonly turn: number }
  /** Closes the microphone and drops what was not sent. */
  | { readonly type: 'ear.close'; readonly turn: number }
  /** Records three seconds and plays them at the panel; then they are forgotten. */
  | { readonly type: 'ear.check'; readonly check: number; readonly choice: EarChoice }
  | { readonly type: 'ear.end-check'; readonly check: number };

/** Why the ear could not record, or stopped. `backlog`: 2 s were not sent; `ended`: the recorder ended by itself. */
export const earFailures = [
  'no-device',
  'refused',
  'busy',
  'no-recorder',
  'source-unknown',
  'no-echo-cancelled',
  'moved',
  'ended',
  'stalled',
  'backlog',
] as const;
export type EarFailure = (typeof earFailures)[number];

/** `at` is of the monotonic clock; facts of another turn or check are dropped. */
export type EarFact =
  | {
      readonly type: 'ear.sources';
      /** `none`: neither a sound server nor a capture device answers. */
      readonly system: 'pulse' | 'alsa' | 'simulated' | 'none';
      readonly sources: readonly EarSource[];
      /** Name of the source that the settings would use now; null if there is none. */
      readonly chosen: string | null;
      /** Why not; null if there is one. */
      readonly failure: EarFailure | null;
    }
  /** The first samples are there. */
  | { readonly type: 'ear.opened'; readonly turn: number; readonly at: Milliseconds }
  /** The chime has ended, or could not be played. */
  | { readonly type: 'ear.chimed'; readonly turn: number; readonly at: Milliseconds }
  /** Once a second; `level` is the peak of the last second in percent. */
  | { readonly type: 'ear.measured'; readonly health: EarHealth; readonly level: number; readonly at: Milliseconds }
  /** `ear.closed` follows; that of a `backlog` may come before it, where the speech was finished. */
  | { readonly type: 'ear.failed'; readonly turn: number; readonly code: EarFailure; readonly at: Milliseconds }
  /** The process is gone and the device free: always the last fact of a turn. */
  | { readonly type: 'ear.closed'; readonly turn: number; readonly at: Milliseconds }
  | { readonly type: 'check.recording'; readonly check: number }
  | { readonly type: 'check.playing'; readonly check: number }
  /** `code` is null if it was played to its end. */
  | {
      readonly type: 'check.ended';
      readonly check: number;
      readonly code: EarFailure | 'no-player' | 'cut' | null;
      readonly health: EarHealth;
      /** Peak of the three seconds in percent. */
      readonly level: number;
    };
export type EarDriver = DriverLogic<EarCommand, undefined, EarFact>;

/** Carries one turn at a time to Home Assistant; wired to the part `home-assistant`. */
export type AssistCommand =
  | {
      readonly type: 'assist.begin';
      readonly turn: number;
      /** Null for the preferred one. */
      readonly pipelineId: string | null;
      /** Home Assistant's id of this panel's device, whose area the pipeline acts on; null if it has none. */
      readonly deviceId: string | null;
      /** Continues a conversation; null begins one. */
      readonly conversationId: string | null;
    }
  | { readonly type: 'assist.cancel'; readonly turn: number };

/** Stages of a turn as Home Assistant reports them: codes and times, never words. `at` is of the monotonic clock. */
export type AssistFact = { readonly turn: number; readonly at: Milliseconds } & (
  | /** The run began (`run-start`), and sound is being sent. */
    { readonly type: 'assist.started' }
  /** Speech began (`stt-vad-start`). */
  | { readonly type: 'assist.speech-began' }
  /** Speech ended (`stt-vad-end`, `stt-end`, or the empty frame has arrived): no more sound is sent. */
  | { readonly type: 'assist.speech-ended' }
  /** It was turned into text (`stt-end`). */
  | { readonly type: 'assist.understood' }
  /** The answer is decided (`intent-end`). */
  | { readonly type: 'assist.decided'; readonly conversationId: string | null; readonly continues: boolean }
  /** The absolute address of the spoken answer, once: at `tts-end`, or as soon as a streamed one begins. */
  | { readonly type: 'assist.answered'; readonly url: string }
  /** `run-end`; a `timeout` may follow it as `assist.failed`. */
  | { readonly type: 'assist.ended' }
  /**
   * Home Assistant's own code (`stt-no-text-recognized`, `intent-failed`, `pipeline-not-found`, `timeout`), at most 64
   * of `a-z0-9-_`; else `unavailable` (no live connection, or it was lost), `signed-out`, `backlog`.
   */
  | { readonly type: 'assist.failed'; readonly code: string }
);
export type AssistDriver = DriverLogic<AssistCommand, undefined, AssistFact>;

/** The announcer's lane, and what else sounds; wired to the part `announcer`. */
export type ReplyCommand =
  /** Everything else becomes quieter, from the trigger to the end of the reply. */
  | { readonly type: 'reply.duck' }
  | { readonly type: 'reply.unduck' }
  | { readonly type: 'reply.play'; readonly turn: number; readonly url: string }
  | { readonly type: 'reply.stop'; readonly turn: number };
export type ReplyFact =
  /** The first sound of the reply. */
  | { readonly type: 'reply.playing'; readonly turn: number; readonly at: Milliseconds }
  /** The player has ended; `code` is null if it played to the end, `replaced` if something else took the lane. */
  | { readonly type: 'reply.ended'; readonly turn: number; readonly code: string | null; readonly at: Milliseconds }
  /** An announcement that is not voice's began. */
  | { readonly type: 'lane.taken'; readonly at: Milliseconds };
export type ReplyDriver = DriverLogic<ReplyCommand, undefined, ReplyFact>;

/** Holds the mark of the microphone (`machines/in-use`). */
export type VoiceIndicationCommand = { readonly type: 'indication.hold' } | { readonly type: 'indication.release' };
export type VoiceIndicationFact =
  /** Confirmed, or the panel was started without a screen (`none`): sound may leave the panel. */
  | { readonly type: 'indication.confirmed'; readonly by: 'overlay' | 'led' | 'none' }
  | { readonly type: 'indication.refused'; readonly reason: InUseRefusal };
export type VoiceIndicationDriver = DriverLogic<VoiceIndicationCommand, undefined, VoiceIndicationFact>;

/** What the kiosk screen shows of voice. */
export interface OverlayView {
  /** The round button. */
  readonly button: boolean;
  readonly phase: VoicePhase;
  /** Hue of the pipeline's colour, 0 to 359. */
  readonly hue: number;
  /** True if words are shown. */
  readonly words: boolean;
  /** Why a press began nothing, for a few seconds; null for nothing to say. */
  readonly notice: string | null;
  /** True if the dashboard's own Assist button leads to the panel's voice (`hasAssist`). */
  readonly assist: boolean;
}
export type OverlayCommand = { readonly type: 'overlay.show'; readonly view: OverlayView };
/** `at` is of the monotonic clock. A touch that wakes the screen is none of these. */
export type OverlayFact =
  | { readonly type: 'overlay.pressed'; readonly at: Milliseconds }
  | { readonly type: 'overlay.released'; readonly at: Milliseconds }
  /** The edge was touched: the turn is cancelled. */
  | { readonly type: 'overlay.dismissed'; readonly at: Milliseconds }
  /**
   * The dashboard's Assist button, or a card with `action: assist`; at most one in 2 s. `isTouched` is false if no
   * person touched the page shortly before: any script of the dashboard can ask.
   */
  | {
      readonly type: 'overlay.asked';
      readonly pipelineId: string | null;
      readonly isTouched: boolean;
      readonly at: Milliseconds;
    };
export type OverlayDriver = DriverLogic<OverlayCommand, undefined, OverlayFact>;

/** The screens and a button of the profile; wired to the parts `screen` and `input`. */
export type VoicePanelCommand =
  /** Light a dark screen. */
  | { readonly type: 'panel.light' }
  /** The turn is over: a screen that this turn lit goes dark 15 s later, unless it was touched. */
  | { readonly type: 'panel.rest' };
export type VoicePanelFact =
  /** The button named by `voice_button`. */
  | { readonly type: 'button.pressed'; readonly at: Milliseconds }
  | { readonly type: 'button.released'; readonly at: Milliseconds };
export type VoicePanelDriver = DriverLogic<VoicePanelCommand, undefined, VoicePanelFact>;

/** A pipeline of Home Assistant. */
interface Pipeline {
  readonly id: string;
  readonly name: string;
  /** False without speech-to-text: it cannot hear. */
  readonly hears: boolean;
  /** False without text-to-speech: it acts, and answers without a sound. */
  readonly speaks: boolean;
}
/** All pipelines as Home Assistant lists them; at most 64. */
export interface Pipelines {
  readonly pipelines: readonly Pipeline[];
  readonly preferred: string | null;
}

/** Reported by what follows the settings and Home Assistant. */
export type VoiceSurroundingsFact =
  | {
      readonly type: 'options.changed';
      readonly choice: EarChoice;
      /** By what begins a turn, `press` here; "" or none for the preferred one. */
      readonly pipelines: Readonly<Record<string, string>>;
      readonly screenButton: 'auto' | 'always' | 'never';
      readonly showsWords: boolean;
    }
  /** The wall clock, at the start and with each change of the link; `at` is of the monotonic clock. */
  | { readonly type: 'clock.read'; readonly moment: EpochMs; readonly at: Milliseconds }
  /** Null while no list has been read. */
  | { readonly type: 'pipelines.changed'; readonly listed: Pipelines | null }
  | { readonly type: 'device.changed'; readonly deviceId: string | null }
  /** `live` while turns can be carried; else why not. */
  | { readonly type: 'link.changed'; readonly link: 'live' | 'signed-out' | 'unavailable' };
