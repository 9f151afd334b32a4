import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type {
  AssistFact,
  EarFact,
  EarFailure,
  EarHealth,
  EarSource,
  OverlayFact,
  Pipelines,
  ReplyFact,
  VoiceIndicationFact,
  VoicePanelFact,
  VoiceSurroundingsFact,
} from './driver-events.ts';

export { voicePhases } from '../kit/voice-phase.ts';
// What the parts around voice are told, and what they report.
export * from './driver-events.ts';

/** What began a turn. */
export const triggerSources = ['screen', 'dashboard', 'button', 'test', 'follow-up'] as const;
export type TriggerSource = (typeof triggerSources)[number];

/** Why a trigger begins no turn: 409 for the first three, 503 for the rest. */
export const triggerRefusals = [
  'off',
  'busy',
  'checking',
  'not-allowed',
  'no-microphone',
  'microphone-refused',
  'microphone-muted',
  'signed-out',
  'unavailable',
  'no-pipeline',
  'pipeline-deaf',
  'parked',
] as const;
export type TriggerRefusal = (typeof triggerRefusals)[number];
export type TriggerOutcome =
  | { readonly status: 'accepted'; readonly turn: number }
  | { readonly status: 'refused'; readonly reason: TriggerRefusal };
/** Answer to `voice.check`, once the room is shown it, within 5 s: it runs, or why not. */
export type CheckOutcome =
  | { readonly status: 'accepted'; readonly check: number }
  | { readonly status: 'refused'; readonly reason: TriggerRefusal }
  /** The room cannot be shown it; `code` says why. */
  | { readonly status: 'refused'; readonly reason: 'indication'; readonly code: string };

/** Milliseconds from the trigger to each stage; null for one that did not come. */
export interface StageTimes {
  /** The microphone delivers. */
  readonly opened: Milliseconds | null;
  /** Home Assistant listens. */
  readonly started: Milliseconds | null;
  readonly speechEnded: Milliseconds | null;
  readonly understood: Milliseconds | null;
  readonly decided: Milliseconds | null;
  /** The answer's address is known. */
  readonly answered: Milliseconds | null;
  /** First sound of the answer. */
  readonly sounded: Milliseconds | null;
  readonly ended: Milliseconds | null;
}

/** How the last turn ended; `at` of the wall clock. */
export interface TurnResult {
  readonly turn: number;
  readonly source: TriggerSource;
  /** `done`, also without a word recognised; `cancelled` by a person or an announcement. */
  readonly outcome: 'done' | 'cancelled' | 'failed';
  /** Stable code of a failure, or of what ended it quietly; null for neither. */
  readonly code: string | null;
  readonly times: StageTimes;
  readonly at: EpochMs;
}

interface MicrophoneCheck {
  readonly check: number;
  readonly phase: 'recording' | 'playing' | 'passed' | 'failed';
  readonly code: string | null;
  readonly health: EarHealth;
  readonly level: number;
}

export type VoiceEvent =
  | {
      readonly type: 'voice.trigger';
      readonly requestId: string;
      readonly source: TriggerSource;
      /** Null for the pipeline of the settings. */
      readonly pipelineId: string | null;
      readonly at: Milliseconds;
    }
  | { readonly type: 'voice.cancel'; readonly at: Milliseconds }
  | { readonly type: 'voice.check'; readonly requestId: string; readonly at: Milliseconds }
  /** Lists the sources again, and judges the microphone. */
  | { readonly type: 'voice.probe' }
  | EarFact
  | AssistFact
  | ReplyFact
  | VoiceIndicationFact
  | OverlayFact
  | VoicePanelFact
  | VoiceSurroundingsFact
  /** Ends the turn in order, and then the part. */
  | { readonly type: 'voice.stop' };

/** Public facts; the phase is the state (`machines/kit/voice-phase.ts`). Never words, sounds or addresses. */
export interface VoiceContext {
  /** Number of the newest turn; 0 before the first. */
  readonly turn: number;
  readonly source: TriggerSource | null;
  /** Turns of this conversation so far, 1 to 6; 0 without one. */
  readonly round: number;
  /** Id of the pipeline of the running turn, or of the one that a press would use; null for the preferred one. */
  readonly pipelineId: string | null;
  readonly listed: Pipelines | null;
  readonly system: 'pulse' | 'alsa' | 'simulated' | 'none' | null;
  readonly sources: readonly EarSource[];
  readonly chosen: string | null;
  /** Why no source can be used; null if one can, or before the first look. */
  readonly earFailure: EarFailure | null;
  readonly health: EarHealth;
  /** Peak of the last second in percent; -1 while the microphone is closed. */
  readonly level: number;
  readonly link: 'live' | 'signed-out' | 'unavailable';
  /** True if Home Assistant's device of this panel is known, so that it acts on its area. */
  readonly hasDevice: boolean;
  /** Stage times of the running turn. */
  readonly times: StageTimes | null;
  readonly last: TurnResult | null;
  readonly check: MicrophoneCheck | null;
  /** Why no turn can begin now; null if one can. */
  readonly refusal: TriggerRefusal | null;
  /** Code of the phase `error`; null in every other phase. */
  readonly error: string | null;
  /** Turns since this part started, and those that failed. */
  readonly turns: number;
  readonly failures: number;
}

export interface VoiceActor {
  readonly id: 'voice';
  readonly context: VoiceContext;
  readonly event: Extract<
    VoiceEvent,
    { readonly type: 'voice.trigger' | 'voice.cancel' | 'voice.check' | 'voice.probe' | 'voice.stop' }
  >;
  readonly asks: { readonly 'voice.trigger': TriggerOutcome; readonly 'voice.check': CheckOutcome };
}
