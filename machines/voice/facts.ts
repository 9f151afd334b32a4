import type { Milliseconds } from '../kit/units.ts';
import { choosePipeline, wantedPipeline } from './choose-pipeline.ts';
import type { Pipelines, TriggerRefusal, VoiceContext, VoiceEvent, VoiceSurroundingsFact } from './events.ts';
import { judgeMicrophone, judgeTrigger, type TriggerFacts } from './judge-trigger.ts';
import { closedVoice } from './off.ts';

/** What the settings ask for. */
export type Options = Omit<Extract<VoiceSurroundingsFact, { readonly type: 'options.changed' }>, 'type'>;

export const optionsOf = ({ choice, pipelines, screenButton, showsWords }: Options): Options => ({
  choice,
  pipelines,
  screenButton,
  showsWords,
});

/** Full context of voice: the public facts, and those of the running turn. */
export interface VoiceFacts extends VoiceContext {
  /** The settings in force; before they were read, without a button on the screen. */
  readonly options: Options;
  /** What arrived during a turn and counts from its end on; null for nothing. */
  readonly later: { readonly options: Options | null; readonly listed: { readonly now: Pipelines | null } | null };
  /** Home Assistant's id of this panel's device. */
  readonly deviceId: string | null;
  readonly conversationId: string | null;
  /** True if Home Assistant asked back. */
  readonly continues: boolean;
  /** Turn of the microphone that is not closed yet; null for none. */
  readonly ear: number | null;
  /** `open`: sound may leave the panel. `finished`: what was heard is still sent. `over`: nothing is sent any more. */
  readonly speech: 'open' | 'finished' | 'over';
  /** True while the mark is held. */
  readonly isMarked: boolean;
  /** True once the mark of this turn was confirmed. */
  readonly isIndicated: boolean;
  readonly run: 'none' | 'running' | 'ended';
  readonly isDecided: boolean;
  readonly reply: 'none' | 'playing' | 'ended';
  /** The press that began the turn, until it is released. */
  readonly press: { readonly by: 'screen' | 'button'; readonly at: Milliseconds } | null;
  readonly begunAt: Milliseconds;
  /** Newest moment of the monotonic clock that an event brought. */
  readonly at: Milliseconds;
  /** The wall clock minus the monotonic one. */
  readonly clockMs: Milliseconds;
  readonly checks: number;
  /** Request of a check that waits for the mark; null for none. */
  readonly checkRequest: string | null;
  /** Code of the mark that was lost while the running check recorded; null if it was not. */
  readonly unmarked: string | null;
  /** Failures of the microphone in a row. */
  readonly faults: number;
  /** True while the microphone rests after them. */
  readonly isParked: boolean;
  /** True if the error is that of the microphone, and over with it. */
  readonly isEarError: boolean;
  /** Code of what the screen says about a press that began nothing; null for nothing. */
  readonly notice: string | null;
}

/** Events of the machine: those of voice, and the ends of waits. */
export type VoiceMachineEvent =
  | VoiceEvent
  | { readonly type: 'turn.expired' }
  | { readonly type: 'speech.expired' }
  | { readonly type: 'opening.expired' }
  | { readonly type: 'mark.expired' }
  | { readonly type: 'rest.expired' }
  | { readonly type: 'notice.expired' }
  | { readonly type: 'look.due' };
export type EventOf<T extends VoiceMachineEvent['type']> = Extract<VoiceMachineEvent, { readonly type: T }>;

/** Code of a microphone whose process does not end. */
export const NOT_CLOSED = 'not-closed';

/** True while a check records or plays. */
export const isChecking = ({ check }: VoiceFacts): boolean =>
  check?.phase === 'recording' || check?.phase === 'playing';

/** True also while it waits for the mark. */
export const isCheckAsked = (facts: VoiceFacts): boolean => facts.checkRequest !== null || isChecking(facts);

/** The facts that decide whether something can begin. */
const gateOf = (facts: VoiceFacts): TriggerFacts => ({
  isBusy: facts.times !== null || facts.ear !== null,
  isChecking: isCheckAsked(facts),
  isParked: facts.isParked,
  earFailure: facts.earFailure,
  sources: facts.sources,
  chosen: facts.chosen,
  link: facts.link,
  listed: facts.listed,
  pipelines: facts.options.pipelines,
});

export const refusalOf = (facts: VoiceFacts, asked: string | null): TriggerRefusal | null =>
  judgeTrigger(gateOf(facts), asked);
/** A person may check a microphone that rests: if it works again, the rest is over. */
export const checkRefusalOf = (facts: VoiceFacts): TriggerRefusal | null =>
  judgeMicrophone({ ...gateOf(facts), isParked: false });

/** True once nothing has the microphone open any more. */
export const isClosed = (facts: VoiceFacts): boolean => facts.ear === null && !isChecking(facts);

/** True if nothing can be recorded now, so that the sources are listed again and again. */
export const isDeaf = ({ earFailure, sources, chosen }: VoiceFacts): boolean =>
  earFailure !== null || sources.some(({ name, isMuted }) => name === chosen && isMuted);

/** Id of the pipeline of a turn that is begun now; null for the preferred one. */
export function pipelineOf({ options, listed }: VoiceFacts, asked: string | null): string | null {
  const chosen = choosePipeline(wantedPipeline(asked, options.pipelines), listed);
  return chosen.ok ? chosen.id : null;
}

/** The facts with what is derived from them: why no turn can begin, and which pipeline a press would use. */
export function derived(facts: VoiceFacts, change: Partial<VoiceFacts>): Partial<VoiceFacts> {
  const after = { ...facts, ...change };
  const refusal = refusalOf(after, null);
  return { ...change, refusal, ...(after.times === null && { pipelineId: pipelineOf(after, null) }) };
}

export const initialFacts: VoiceFacts = {
  ...closedVoice,
  refusal: 'unavailable',
  options: {
    choice: { audioSource: 'voice_recognition', source: '', gainDb: 0 },
    pipelines: {},
    screenButton: 'never',
    showsWords: false,
  },
  later: { options: null, listed: null },
  deviceId: null,
  conversationId: null,
  continues: false,
  ear: null,
  speech: 'over',
  isMarked: false,
  isIndicated: false,
  run: 'none',
  isDecided: false,
  reply: 'none',
  press: null,
  begunAt: 0,
  at: 0,
  clockMs: 0,
  checks: 0,
  checkRequest: null,
  unmarked: null,
  faults: 0,
  isParked: false,
  isEarError: false,
  notice: null,
};
