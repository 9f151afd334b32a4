import type { InUseRefusal } from '../in-use/events.ts';
import type { Milliseconds } from '../kit/units.ts';
import { FAULTS, HOLD_MS, PAUSE_MS, ROUNDS } from './delays.ts';
import type { AssistFact, EarFact, ReplyFact, StageTimes, TriggerSource, TurnResult } from './events.ts';
import { derived, type EventOf, isCheckAsked, NOT_CLOSED, pipelineOf, refusalOf, type VoiceFacts } from './facts.ts';

type Change = Partial<VoiceFacts>;

/** What begins a turn. */
export type TriggerEvent = EventOf<'voice.trigger' | 'overlay.pressed' | 'overlay.asked' | 'button.pressed'>;

/** A turn that begins: what began it, with which pipeline, and whether it continues a conversation. */
export interface Beginning {
  readonly source: TriggerSource;
  /** As the trigger names it; null for that of the settings. */
  readonly asked: string | null;
  readonly press: VoiceFacts['press'];
  readonly at: Milliseconds;
}

export function beginningOf(event: TriggerEvent): Beginning {
  const { at } = event;
  switch (event.type) {
    case 'voice.trigger':
      return { source: event.source, asked: event.pipelineId, press: null, at };
    case 'overlay.asked':
      return { source: 'dashboard', asked: event.pipelineId, press: null, at };
    case 'overlay.pressed':
      return { source: 'screen', asked: null, press: { by: 'screen', at }, at };
    case 'button.pressed':
      return { source: 'button', asked: null, press: { by: 'button', at }, at };
  }
}

const noTimes: StageTimes = {
  opened: null,
  started: null,
  speechEnded: null,
  understood: null,
  decided: null,
  answered: null,
  sounded: null,
  ended: null,
};

/** The facts of a turn that has just begun, whatever the one before left. */
const fresh = (facts: VoiceFacts, source: TriggerSource, at: Milliseconds): Change => ({
  turn: facts.turn + 1,
  turns: facts.turns + 1,
  source,
  times: noTimes,
  continues: false,
  ear: facts.turn + 1,
  speech: 'open',
  isMarked: true,
  isIndicated: false,
  run: 'running',
  isDecided: false,
  reply: 'none',
  begunAt: at,
  at,
  error: null,
  isEarError: false,
  notice: null,
  health: 'ok',
  level: -1,
});

/** The first turn of a conversation. */
export const begun = (facts: VoiceFacts, { source, asked, press, at }: Beginning): Change =>
  derived(facts, {
    ...fresh(facts, source, at),
    pipelineId: pipelineOf(facts, asked),
    conversationId: null,
    round: 1,
    press,
  });

/** Home Assistant asked back: the next turn of the conversation, with the same pipeline. */
export const continued = (facts: VoiceFacts): Change =>
  derived(facts, { ...fresh(facts, 'follow-up', facts.at + PAUSE_MS), round: facts.round + 1, press: null });

/** True for a page that asked although no person had touched it. */
export const isUntouched = (event: TriggerEvent): boolean => event.type === 'overlay.asked' && !event.isTouched;

/** A press that began nothing. What the microphone says itself is more exact than the refusal. */
export function refusedPress(facts: VoiceFacts, event: TriggerEvent): Change {
  const refusal = refusalOf(facts, beginningOf(event).asked) ?? (isUntouched(event) ? 'untouched' : null);
  if (isCheckAsked(facts)) return { notice: refusal };
  if (facts.error === NOT_CLOSED) return { notice: NOT_CLOSED };
  const isEarError = facts.earFailure !== null && !facts.isParked;
  const error = isEarError ? facts.earFailure : refusal;
  return { error, isEarError, notice: error };
}

export const goesOn = ({ continues, reply, round, ear }: VoiceFacts): boolean =>
  continues && reply === 'ended' && round < ROUNDS && ear === null;

/** Both are over, in either order: the run in Home Assistant, and its answer at the panel, if it has one. */
export const isComplete = ({ run, reply }: VoiceFacts): boolean => run === 'ended' && reply !== 'playing';

/** A run without a decision ended early; its error may follow the end (`timeout`), and is waited for. */
export const isCutShort = ({ isDecided, reply }: VoiceFacts): boolean => !isDecided && reply === 'none';

/** The end of a press. */
export type Released = EventOf<'overlay.released' | 'button.released'>;
export const byOf = ({ type }: Pick<Released, 'type'>): 'screen' | 'button' =>
  type === 'overlay.released' ? 'screen' : 'button';

/** True if this ends the press that began the turn. */
export const isOwnRelease = ({ press }: VoiceFacts, by: 'screen' | 'button'): boolean => press?.by === by;

/** True if this release ends the speech: the button was held, and the microphone is still open. */
export function endsHold({ press, speech }: VoiceFacts, by: 'screen' | 'button', at: Milliseconds): boolean {
  return press?.by === by && speech === 'open' && at - press.at > HOLD_MS;
}

/** Facts of a turn with a stage of their own, or none. */
type StageFact = Extract<AssistFact | EarFact | ReplyFact, { readonly turn: number; readonly at: Milliseconds }>;

/** The stage that each fact brings. */
const stageOf: Readonly<Partial<Record<StageFact['type'], keyof StageTimes>>> = {
  'ear.opened': 'opened',
  'assist.started': 'started',
  'assist.speech-ended': 'speechEnded',
  'assist.understood': 'understood',
  'assist.decided': 'decided',
  'assist.answered': 'answered',
  'reply.playing': 'sounded',
};

/** The moment and the stage of a fact of the running turn; the first one of each stage counts. */
export function staged({ times, begunAt }: VoiceFacts, { type, at }: StageFact): Change {
  const stage = stageOf[type];
  if (times === null || stage === undefined || times[stage] !== null) return { at };
  return { at, times: { ...times, [stage]: at - begunAt } };
}

/** Sound is no longer sent: its end, and whatever comes after it, says so. */
export const heard: Change = { speech: 'over', faults: 0 };

/** Code of a turn that ends, or does not begin, for want of the mark. */
export const unmarkedCode = (reason: InUseRefusal): string => `indication-${reason}`;

/** How a turn ends. */
export interface TurnEnd {
  readonly outcome: TurnResult['outcome'];
  readonly code: string | null;
  /** Null for the newest moment that is known. */
  readonly at: Milliseconds | null;
  /** True if the microphone failed. */
  readonly isEarFault?: boolean;
}

/** The end of a turn; its microphone may still be open, and what was held is released by the machine. */
export function concluded(facts: VoiceFacts, { outcome, code, at, isEarFault = false }: TurnEnd): Change {
  const { times, turn, source, begunAt, clockMs } = facts;
  if (times === null || source === null) return {};
  const end = Math.max(at ?? facts.at, begunAt);
  const isFailed = outcome === 'failed';
  const faults = isEarFault ? facts.faults + 1 : facts.faults;
  return derived(facts, {
    last: { turn, source, outcome, code, times: { ...times, ended: end - begunAt }, at: Math.round(clockMs + end) },
    failures: facts.failures + (isFailed ? 1 : 0),
    faults,
    isParked: facts.isParked || faults >= FAULTS,
    times: null,
    source: null,
    round: 0,
    conversationId: null,
    continues: false,
    speech: 'over',
    run: 'none',
    reply: 'none',
    press: null,
    at: end,
  });
}

/** True if the turn that ended last failed. */
export const hasFailed = ({ last }: VoiceFacts): boolean => last?.outcome === 'failed';

/** The settings and pipelines that came during the turn. */
export const caughtUp = (facts: VoiceFacts): Change =>
  derived(facts, {
    ...(facts.later.options !== null && { options: facts.later.options }),
    ...(facts.later.listed !== null && { listed: facts.later.listed.now }),
    later: { options: null, listed: null },
  });
