import type { AssistFact, EarFact, ReplyFact } from './events.ts';
import { checkRefusalOf, type EventOf, isChecking, isClosed, refusalOf, type VoiceFacts } from './facts.ts';
import { isQuiet } from './quiet-codes.ts';
import {
  beginningOf,
  byOf,
  endsHold,
  goesOn,
  hasFailed,
  isComplete,
  isCutShort,
  isUntouched,
  type Released,
  type TriggerEvent,
} from './transitions.ts';

interface Scope {
  readonly context: VoiceFacts;
}

/** A fact of one turn. */
type OfTurn = Extract<AssistFact | EarFact | ReplyFact, { readonly turn: number; readonly at: number }>;
type OfCheck = EventOf<'check.recording' | 'check.playing' | 'check.ended'>;

/** The guards of the machine. */
export const voiceGuards = {
  admits: ({ context }: Scope, event: TriggerEvent) =>
    !isUntouched(event) && refusalOf(context, beginningOf(event).asked) === null,
  admitsCheck: ({ context }: Scope) => checkRefusalOf(context) === null,
  hasNoSource: ({ context }: Scope) => context.earFailure !== null,
  isMended: ({ context }: Scope) => context.isEarError && context.earFailure === null,
  ofTurn: ({ context }: Scope, { turn }: OfTurn) => turn === context.turn,
  ofEar: ({ context }: Scope, { turn }: EventOf<'ear.closed'>) => turn === context.ear,
  ofCheck: ({ context }: Scope, { check }: OfCheck) => check === context.checks && isChecking(context),
  closedEarly: ({ context }: Scope, { turn }: EventOf<'ear.closed'>) =>
    turn === context.ear && context.speech === 'open',
  breaksOff: ({ context }: Scope, { turn }: EventOf<'ear.failed'>) =>
    turn === context.turn && context.speech !== 'over',
  isMuted: ({ context }: Scope, { health }: EventOf<'ear.measured'>) => context.speech === 'open' && health === 'muted',
  isOpen: ({ context }: Scope) => context.speech === 'open',
  opens: ({ context }: Scope, { turn }: EventOf<'ear.opened'>) => turn === context.turn && context.speech === 'open',
  sends: ({ context }: Scope) => context.speech !== 'over',
  isUnopened: ({ context }: Scope) => context.speech === 'open' && context.times?.opened === null,
  isUnmarked: ({ context }: Scope) => context.speech !== 'over' && !context.isIndicated,
  isSilentEnd: ({ context }: Scope, { turn, code }: EventOf<'assist.failed'>) => turn === context.turn && isQuiet(code),
  losesRun: ({ context }: Scope, { link }: EventOf<'link.changed'>) => link !== 'live' && context.run === 'running',
  endsHold: ({ context }: Scope, released: Released) => endsHold(context, byOf(released), released.at),
  isAnswer: ({ context }: Scope, { turn }: EventOf<'assist.answered'>) =>
    turn === context.turn && context.reply === 'none',
  isReplaced: ({ context }: Scope, { turn, code }: EventOf<'reply.ended'>) =>
    turn === context.turn && code === 'replaced',
  isUnplayed: ({ context }: Scope, { turn, code }: EventOf<'reply.ended'>) => turn === context.turn && code !== null,
  isComplete: ({ context }: Scope) => isComplete(context),
  isCutShort: ({ context }: Scope) => isCutShort(context),
  goesOn: ({ context }: Scope) => goesOn(context),
  isClosed: ({ context }: Scope) => isClosed(context),
  isRecording: ({ context }: Scope) => context.check?.phase === 'recording',
  isFailed: ({ context }: Scope) => isClosed(context) && hasFailed(context),
};
