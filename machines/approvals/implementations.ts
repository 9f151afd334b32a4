import { assign, emit, enqueueActions, sendTo } from 'xstate';

import type { FaultEvent } from '../kit/actor.ts';
import { type Fault, faultEvent } from '../kit/fault.ts';
import type { WorkerOutcome } from '../kit/outcome.ts';
import { placeholder, promisePlaceholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import type { Milliseconds } from '../kit/units.ts';
import { UNTOUCHED_MS } from './attention.ts';
import type {
  Answer,
  ControlCommand,
  ControlFact,
  Effect,
  ExposureCommand,
  ExposureFact,
  ModeCommand,
  ModeFact,
  QuestionCommand,
  QuestionFact,
  ShownQuestion,
  SurroundingsCommand,
  SurroundingsFact,
} from './events.ts';
import type { ApprovalReply, ApprovalsFacts, ApprovalsInput, ApprovalsMachineEvent, ExpiredEvent } from './facts.ts';
import { isDeliberate } from './judge-hold.ts';
import { controlCommand, isBarrable, nextQuestion, shownQuestion } from './question.ts';
import { effectOf, VALID_MS } from './requests.ts';
import { resultOf } from './results.ts';
import {
  approve,
  atMoment,
  cleared,
  deny,
  drawsAttention,
  expire,
  exposedTo,
  fail,
  leaveScreen,
  lookAtRequest,
  noted,
  passOver,
  present,
  takeApprovalRequest,
  takeMode,
  takePartQuestion,
  wantQuestions,
  wishMode,
  withdraw,
} from './steps.ts';

/** How often what bars approving is looked at in Hardened mode. */
const LOOK_MS: Milliseconds = 60_000;
/** Longest wait for one look, for the disk and for an effect. */
const ANSWER_MS: Milliseconds = 10_000;
/** How long a result stays on the screen. */
const RESULT_MS: Milliseconds = 3000;
/** Pause before a tab that was lost is opened again. */
const PAUSE_MS: Milliseconds = 5000;

type Of<T extends ApprovalsMachineEvent['type']> = Extract<ApprovalsMachineEvent, { readonly type: T }>;
type Answered = { readonly id: string; readonly answer: Answer; readonly at: Milliseconds };

/** How an effect ended; null if it was carried out, otherwise why not, one sentence. */
export interface CarriedOut {
  readonly failure: string | null;
}

const unreadable: ExposureFact['findings'] = [{ code: 'unreadable', port: null }];

/** Whether an answer is about the question on the screen, and comes from where that is. */
const isShown = ({ shown, place }: ApprovalsFacts, type: string, id: string): boolean =>
  shown?.id === id && (type === 'approval.answer') === (place.kind === 'simulator');

/** What the tab shows; null where there is none. */
const onScreen = (facts: ApprovalsFacts): ShownQuestion | null =>
  facts.place.kind === 'screen' ? shownQuestion(facts) : null;

/** Actors, guards, actions and delays of the chart. */
export const approvalsSetup = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as ApprovalsFacts,
    events: {} as ApprovalsMachineEvent,
    input: {} as ApprovalsInput,
    output: {} as WorkerOutcome,
    emitted: {} as FaultEvent | ApprovalReply,
  },
  actors: {
    modeFile: placeholder<ModeCommand, undefined, ModeFact>(),
    question: placeholder<QuestionCommand, undefined, QuestionFact>(),
    surroundings: placeholder<SurroundingsCommand, undefined, SurroundingsFact>(),
    exposure: placeholder<ExposureCommand, undefined, ExposureFact>(),
    control: placeholder<ControlCommand, undefined, ControlFact>(),
    carryOut: promisePlaceholder<CarriedOut, { readonly effect: Effect | null; readonly operation: string }>(),
  },
  delays: { look: LOOK_MS, answer: ANSWER_MS, result: RESULT_MS, pause: PAUSE_MS, untouched: UNTOUCHED_MS },
  guards: {
    isHardened: (_, { mode }: Of<'mode.read'>) => mode === 'hardened',
    hasNext: ({ context }) => nextQuestion(context) !== null,
    isOver: ({ context }) => context.place.kind === 'none' || shownQuestion(context) === null,
    isHold: ({ context }, { type, id, answer, at }: Answered & { readonly type: string }) =>
      answer === 'hold' &&
      isShown(context, type, id) &&
      (context.place.kind === 'simulator' || isDeliberate(context, id, at)),
    isHasty: ({ context }, { type, id, answer }: Answered & { readonly type: string }) =>
      answer === 'hold' && isShown(context, type, id),
    isDeny: ({ context }, { type, id, answer }: Answered & { readonly type: string }) =>
      answer === 'deny' && isShown(context, type, id),
    isIgnore: ({ context }, { type, id, answer }: Answered & { readonly type: string }) =>
      answer === 'ignore' && isShown(context, type, id),
    isUnbarrable: ({ context }) => !isBarrable(context),
    isSafe: (_, { findings }: ExposureFact) => findings.length === 0,
    isMode: ({ context }) => context.shown?.kind !== 'operation',
    hasEffect: ({ context }) => effectOf(context.requests, context.shown?.id ?? '') !== null,
    isDone: (_, { output }: { readonly output: CarriedOut }) => output.failure === null,
    isWished: ({ context }, { mode }: Of<'mode.read'>) => context.modeQuestion?.mode === mode,
  },
  actions: {
    takeRequest: assign(({ context }, event: Of<'approval.request'>) => takeApprovalRequest(context, event)),
    takeQuestion: assign(({ context }, event: Of<'approval.ask'>) => takePartQuestion(context, event)),
    look: assign(({ context }, event: Of<'approval.look'>) => lookAtRequest(context, event)),
    expire: assign(({ context }, { id }: ExpiredEvent) => expire(context, id)),
    withdraw: assign(({ context }, { operation }: Of<'approval.withdraw'>) => withdraw(context, operation)),
    takeMode: assign(({ context }, fact: Of<'mode.read'>) => takeMode(context, fact)),
    takePlace: assign((_, { place }: Of<'place.changed'>) => ({ place })),
    takeScreens: assign(({ context }, { lit, at }: Of<'screens.changed'>) => ({
      ...atMoment(context, at),
      litSince: lit ? (context.litSince ?? at) : null,
    })),
    takeExposure: assign(({ context }, { findings, at }: ExposureFact) => ({
      ...exposedTo(atMoment(context, at), findings),
    })),
    assumeExposed: assign(({ context }) => exposedTo(context, unreadable)),
    takeSeen: assign(({ context }, { id, visible, at }: Of<'question.seen'>) =>
      id === context.shown?.id
        ? { ...atMoment(context, at), visibleSince: visible ? (context.visibleSince ?? at) : null, pressed: null }
        : {},
    ),
    takePress: assign(({ context }, { id, at }: Of<'question.pressed'>) => ({
      ...atMoment(context, at),
      pressed: { id, at },
    })),
    letGo: assign(({ context }, { at }: Of<'question.released'>) => ({ ...atMoment(context, at), pressed: null })),
    noteMoment: assign(({ context }, { at }: { readonly at: Milliseconds }) => atMoment(context, at)),
    wish: assign(({ context }, { mode, at }: Of<'mode.wanted'>) => wishMode(context, mode, at)),
    want: assign(({ context }, { at }: Of<'questions.wanted'>) => wantQuestions(context, at)),
    denyShown: assign(({ context }) => ({
      ...deny(context, context.shown?.id ?? '', 'denied'),
      result: resultOf(context, 'denied'),
    })),
    ignoreShown: assign(({ context }) => ({
      ...deny(context, context.shown?.id ?? '', 'ignored'),
      result: resultOf(context, 'ignored'),
    })),
    denyListed: assign(({ context }, { id }: Of<'control.denied'>) => deny(context, id, 'denied')),
    approveShown: assign(({ context }) => {
      const facts = approve(context);
      return { ...facts, result: resultOf(facts, 'approved') };
    }),
    endWish: assign(({ context }) => ({ modeQuestion: null, result: resultOf(context, 'approved') })),
    failWish: assign(({ context }) => ({
      ...noted(context, 'switch-refused'),
      modeQuestion: null,
      result: resultOf(context, 'failed', 'The disk refused the change. Free or repair it and try again.'),
    })),
    noteBarred: assign(({ context }) => (context.modeQuestion === null ? {} : noted(context, 'switch-refused'))),
    noteRefused: assign(({ context }, { output }: { readonly output: CarriedOut }) => fail(context, output.failure)),
    noteFailed: assign(({ context }) => fail(context, null)),
    sayHasty: assign(({ context }) => ({ pressed: null, result: resultOf(context, 'too-early') })),
    passOver: assign(({ context }) => passOver(context)),
    present: assign(({ context }) => present(context)),
    leaveScreen: assign(({ context }) => leaveScreen(context)),
    drawAttention: enqueueActions(({ context, enqueue }) => {
      if (!drawsAttention(context)) return;
      enqueue.assign({ drawnAt: context.clock });
      enqueue.sendTo('surroundings', { type: 'attention.draw' });
    }),
    giveBack: enqueueActions(({ context, enqueue }) => {
      if (context.wasDark) enqueue.sendTo('surroundings', { type: 'screens.darken' });
    }),
    show: enqueueActions(({ context, enqueue }) => {
      const question = onScreen(context);
      if (question !== null) enqueue.sendTo('question', { type: 'question.show', question });
    }),
    /** The others that wait are counted beside the question; a refused request changes nothing there. */
    showOthers: enqueueActions(({ context, enqueue }) => {
      const { begun, over } = context.outbox;
      const question = begun.length + over.length > 0 ? onScreen(context) : null;
      if (question !== null) enqueue.sendTo('question', { type: 'question.show', question });
    }),
    showResult: enqueueActions(({ context, enqueue }) => {
      if (context.result !== null && context.place.kind === 'screen')
        enqueue.sendTo('question', { type: 'question.result', result: context.result });
    }),
    hide: sendTo('question', { type: 'question.hide' }),
    lookAround: sendTo('exposure', { type: 'exposure.look' }),
    writeMode: sendTo('modeFile', ({ context }) => ({
      type: 'mode.write' as const,
      mode: context.modeQuestion?.mode ?? 'hardened',
    })),
    writeRelaxed: sendTo('modeFile', { type: 'mode.write', mode: 'relaxed' }),
    reportFault: emit((_, fault: Fault) => faultEvent(fault)),
    /** Answers, starts and stops the clocks of requests. */
    flush: enqueueActions(({ context, enqueue }) => {
      const { replies, begun, over } = context.outbox;
      for (const reply of replies) enqueue.emit(reply);
      for (const id of begun) enqueue.raise({ type: 'approval.expired', id }, { id: `expiry-${id}`, delay: VALID_MS });
      for (const id of over) enqueue.cancel(`expiry-${id}`);
      enqueue.assign(({ context: facts }) => cleared(facts));
    }),
    serve: enqueueActions(({ context, enqueue }) => {
      const command = controlCommand(context);
      const serves = command.type === 'control.serve';
      if (!serves && !context.serves) return;
      enqueue.assign({ serves });
      enqueue.sendTo('control', command);
    }),
  },
});
