import type { InUseRefusal } from '../in-use/events.ts';
import type { Milliseconds } from '../kit/units.ts';
import { withEvent } from '../kit/with-event.ts';
import { type TurnEnd, unmarkedCode } from './transitions.ts';

interface Scope<E> {
  readonly event: E;
}
interface At {
  readonly at: Milliseconds;
}

/** Ends the turn as `end` says of the event of the transition. */
const conclude = <E>(end: (event: E) => TurnEnd) =>
  ({ type: 'conclude', params: ({ event }: Scope<E>) => end(event) }) as const;

/** A person ended it. */
export const dismissed = {
  target: 'ending',
  actions: conclude(({ at }: At) => ({ outcome: 'cancelled', code: null, at })),
} as const;

/** Something else took the lane of the loudspeaker. */
export const replaced = conclude(({ at }: At) => ({ outcome: 'cancelled', code: 'replaced', at }));

/** It failed with the code of the event. */
export const failedWith = conclude(({ code, at }: At & { readonly code: string | null }) => ({
  outcome: 'failed',
  code,
  at,
}));

/** Home Assistant ended it without an error: nothing was said, or another panel answers. */
export const quietlyDone = conclude(({ code, at }: At & { readonly code: string }) => ({ outcome: 'done', code, at }));

/** The microphone failed, or what it heard could not be sent, which is no fault of it. */
export const earFailed = [
  conclude(({ code, at }: At & { readonly code: string }) => ({
    outcome: 'failed',
    code,
    at,
    isEarFault: code !== 'backlog',
  })),
  'park',
  'probe',
] as const;

/** Its process ended without a failure. */
export const earEnded = [
  'noteClosed',
  conclude(({ at }: At) => ({ outcome: 'failed', code: 'ended', at, isEarFault: true })),
  'park',
  'probe',
] as const;

/** The room could not be shown that the panel listens. */
export const markRefused = conclude(({ reason }: { readonly reason: InUseRefusal }) => ({
  outcome: 'failed',
  code: unmarkedCode(reason),
  at: null,
}));

export const linkLost = conclude(({ link }: { readonly link: string }) => ({
  outcome: 'failed',
  code: link,
  at: null,
}));

/** It failed with this code, by an event that carries neither code nor moment. */
export const failedAs = (code: string) => conclude(() => ({ outcome: 'failed', code, at: null }));

/** The end of the part, or a turn that is over. */
export const ended = (outcome: 'done' | 'cancelled') => conclude(() => ({ outcome, code: null, at: null }));

/** What every stage of Home Assistant after the speech means: nothing more is sent. */
const spoken = [withEvent('stage'), 'endSpeech', 'unmark'] as const;

/** Stages of the run in Home Assistant, in any state of the turn; those before it came are made up for. */
export const stagesOfRun = {
  'assist.started': { guard: withEvent('ofTurn'), actions: withEvent('stage') },
  'assist.speech-ended': { guard: withEvent('ofTurn'), actions: spoken },
  'assist.understood': { guard: withEvent('ofTurn'), actions: spoken },
  'assist.decided': { guard: withEvent('ofTurn'), actions: [...spoken, withEvent('decide')] },
  'assist.answered': { guard: withEvent('isAnswer'), target: '.responding', actions: [...spoken, withEvent('play')] },
  'assist.ended': { guard: withEvent('ofTurn'), actions: [...spoken, 'endRun'] },
} as const;

const toProcessing = { target: 'processing' } as const;

/** The same while it listens. */
export const stagesWhileListening = {
  'assist.speech-ended': { ...stagesOfRun['assist.speech-ended'], ...toProcessing },
  'assist.understood': { ...stagesOfRun['assist.understood'], ...toProcessing },
  'assist.decided': { ...stagesOfRun['assist.decided'], ...toProcessing },
  'assist.ended': { ...stagesOfRun['assist.ended'], ...toProcessing },
} as const;
