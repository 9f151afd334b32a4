import { assign, cancel, emit, enqueueActions, type EventObject, raise, sendTo } from 'xstate';

import type { ReplyEvent, WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import type { VoicePhase } from '../kit/voice-phase.ts';
import { checkAnswer, checkBegun, checkCut, checkOver, isRecorded } from './check.ts';
import { voiceDelays } from './delays.ts';
import type {
  AssistCommand,
  AssistFact,
  CheckOutcome,
  EarCommand,
  EarFact,
  OverlayCommand,
  OverlayFact,
  ReplyCommand,
  ReplyFact,
  TriggerOutcome,
  VoiceIndicationCommand,
  VoiceIndicationFact,
  VoicePanelCommand,
  VoicePanelFact,
  VoiceSurroundingsFact,
} from './events.ts';
import {
  checkRefusalOf,
  derived,
  type EventOf,
  isCheckAsked,
  isChecking,
  isClosed,
  isDeaf,
  NOT_CLOSED,
  optionsOf,
  refusalOf,
  type VoiceFacts,
  type VoiceMachineEvent,
} from './facts.ts';
import { voiceGuards } from './guards.ts';
import { pipelineHue } from './pipeline-hue.ts';
import { noticeWords } from './refused.ts';
import {
  beginningOf,
  begun,
  byOf,
  caughtUp,
  concluded,
  continued,
  heard,
  isOwnRelease,
  refusedPress,
  type Released,
  staged,
  type TriggerEvent,
  type TurnEnd,
  unmarkedCode,
} from './transitions.ts';

type OfTurn = Extract<AssistFact | EarFact | ReplyFact, { readonly turn: number; readonly at: number }>;

/** Waits of a turn, which end with it. */
const waits = ['turn', 'speech', 'opening', 'mark'] as const;

const shown = ({ options, pipelineId, notice }: VoiceFacts, phase: VoicePhase): OverlayCommand => ({
  type: 'overlay.show',
  view: {
    // No wake word is listened for yet, so that `auto` shows it too.
    button: options.screenButton !== 'never',
    phase,
    hue: pipelineHue(pipelineId),
    words: options.showsWords,
    notice: notice === null ? null : noticeWords(notice),
    assist: true,
  },
});

export const voiceSetup = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as VoiceFacts,
    events: {} as VoiceMachineEvent,
    emitted: {} as ReplyEvent<TriggerOutcome | CheckOutcome>,
    output: {} as WorkerOutcome,
  },
  actors: {
    ear: placeholder<EarCommand, undefined, EarFact>(),
    assist: placeholder<AssistCommand, undefined, AssistFact>(),
    reply: placeholder<ReplyCommand, undefined, ReplyFact>(),
    indication: placeholder<VoiceIndicationCommand, undefined, VoiceIndicationFact>(),
    overlay: placeholder<OverlayCommand, undefined, OverlayFact>(),
    panel: placeholder<VoicePanelCommand, undefined, VoicePanelFact>(),
    surroundings: placeholder<EventObject, undefined, VoiceSurroundingsFact>(),
  },
  delays: voiceDelays,
  guards: voiceGuards,
  actions: {
    // Surroundings
    takeOptions: assign(({ context }, event: EventOf<'options.changed'>) =>
      derived(context, { options: optionsOf(event) }),
    ),
    keepOptions: assign(({ context }, event: EventOf<'options.changed'>) => ({
      later: { ...context.later, options: optionsOf(event) },
    })),
    takePipelines: assign(({ context }, { listed }: EventOf<'pipelines.changed'>) => derived(context, { listed })),
    keepPipelines: assign(({ context }, { listed }: EventOf<'pipelines.changed'>) => ({
      later: { ...context.later, listed: { now: listed } },
    })),
    takeDevice: assign((_, { deviceId }: EventOf<'device.changed'>) => ({ deviceId, hasDevice: deviceId !== null })),
    takeLink: assign(({ context }, { link }: EventOf<'link.changed'>) => derived(context, { link })),
    takeClock: assign((_, { moment, at }: EventOf<'clock.read'>) => ({ clockMs: moment - at })),
    catchUp: enqueueActions(({ context, enqueue }) => {
      const { options } = context.later;
      enqueue.assign(caughtUp(context));
      if (options !== null) enqueue.sendTo('ear', { type: 'ear.probe', choice: options.choice });
    }),

    // Microphone
    probe: sendTo('ear', ({ context }) => ({ type: 'ear.probe', choice: context.options.choice })),
    takeSources: enqueueActions(
      ({ context, enqueue }, { system, sources, chosen, failure }: EventOf<'ear.sources'>) => {
        // While the error is that of the microphone, it is the newest one.
        const error = context.isEarError && failure !== null ? failure : context.error;
        const change = derived(context, { system, sources, chosen, earFailure: failure, error });
        enqueue.assign(change);
        enqueue.cancel('look');
        if (isDeaf({ ...context, ...change }))
          enqueue.raise({ type: 'look.due' }, { delay: 'lookInterval', id: 'look' });
      },
    ),
    lookAgain: enqueueActions(({ context, enqueue }) => {
      enqueue.sendTo('ear', { type: 'ear.probe', choice: context.options.choice });
      enqueue.raise({ type: 'look.due' }, { delay: 'lookInterval', id: 'look' });
    }),
    takeMeasured: assign((_, { health, level }: EventOf<'ear.measured'>) => ({ health, level })),
    noteClosed: assign(({ context }) => derived(context, { ear: null, level: -1 })),
    finish: enqueueActions(({ context, enqueue }) => {
      enqueue.cancel('speech');
      enqueue.cancel('opening');
      if (context.speech !== 'open') return;
      enqueue.assign({ speech: 'finished' });
      if (context.ear !== null) enqueue.sendTo('ear', { type: 'ear.finish', turn: context.ear });
    }),
    /** Home Assistant has heard enough: nothing is sent after this. */
    endSpeech: enqueueActions(({ context, enqueue }) => {
      for (const wait of ['speech', 'opening', 'mark']) enqueue.cancel(wait);
      if (context.speech === 'over') return;
      enqueue.assign(heard);
      // Also once it is closed: what was not sent yet is forgotten.
      enqueue.sendTo('ear', { type: 'ear.close', turn: context.turn });
    }),
    awaitEnd: raise({ type: 'speech.expired' }, { delay: 'speechBound', id: 'speech' }),
    openedInTime: cancel('opening'),
    park: enqueueActions(({ context, enqueue }) => {
      enqueue.cancel('rest');
      if (context.isParked) enqueue.raise({ type: 'rest.expired' }, { delay: 'rest', id: 'rest' });
    }),
    unpark: enqueueActions(({ context, enqueue }) => {
      enqueue.cancel('rest');
      enqueue.assign(derived(context, { isParked: false, faults: 0 }));
    }),
    takeEarError: assign(({ context }) => ({ error: context.earFailure, isEarError: true })),
    takeError: assign(({ context }) => ({ error: context.last?.code ?? 'failed', isEarError: false })),
    noteStuck: assign({ error: NOT_CLOSED, isEarError: false }),
    forgetError: assign({ error: null, isEarError: false }),

    // Mark
    confirm: enqueueActions(({ context, enqueue }) => {
      enqueue.cancel('mark');
      if (context.isIndicated) return;
      enqueue.assign({ isIndicated: true });
      // Also once it is closed: what was said by then may only leave the panel now.
      if (context.speech !== 'over') enqueue.sendTo('ear', { type: 'ear.release', turn: context.turn });
    }),
    /** The mark is taken back once the microphone is closed and nothing more is sent. */
    unmark: enqueueActions(({ context, enqueue }) => {
      if (!context.isMarked || !isClosed(context) || context.speech !== 'over') return;
      enqueue.assign({ isMarked: false });
      enqueue.sendTo('indication', { type: 'indication.release' });
    }),

    // Turn
    answerTrigger: emit(({ context }, { requestId }: EventOf<'voice.trigger'>) => ({
      type: 'reply' as const,
      requestId,
      outcome: { status: 'accepted' as const, turn: context.turn },
    })),
    refuseTrigger: emit(({ context }, { requestId, pipelineId }: EventOf<'voice.trigger'>) => ({
      type: 'reply' as const,
      requestId,
      outcome: { status: 'refused' as const, reason: refusalOf(context, pipelineId) ?? 'busy' },
    })),
    refuseStopping: emit((_, { requestId }: EventOf<'voice.trigger' | 'voice.check'>) => ({
      type: 'reply' as const,
      requestId,
      outcome: { status: 'refused' as const, reason: 'off' as const },
    })),
    /** A press has no answer: the screen says why nothing began. */
    complain: enqueueActions(({ context, enqueue }, event: TriggerEvent) => {
      enqueue.assign(refusedPress(context, event));
      enqueue.cancel('notice');
      enqueue.raise({ type: 'notice.expired' }, { delay: 'noticeTime', id: 'notice' });
    }),
    /** A touch of a dark screen is no press; a button of the panel is, and its screen may be dark. */
    lightNotice: enqueueActions(({ enqueue }) => {
      enqueue.sendTo('panel', { type: 'panel.light' });
      enqueue.sendTo('panel', { type: 'panel.rest' });
    }),
    endNotice: assign({ notice: null }),
    begin: enqueueActions(({ context, enqueue }, event: TriggerEvent) => {
      enqueue.cancel('notice');
      enqueue.assign(begun(context, beginningOf(event)));
      enqueue.sendTo('panel', { type: 'panel.light' });
      enqueue.sendTo('reply', { type: 'reply.duck' });
    }),
    goOn: assign(({ context }) => continued(context)),
    /** All at once, so that no first word is lost; no sound leaves the panel before the mark is confirmed. */
    open: enqueueActions(({ context, enqueue }) => {
      const { turn, source, options, pipelineId, deviceId, conversationId } = context;
      for (const wait of waits) enqueue.cancel(wait);
      enqueue.sendTo('indication', { type: 'indication.hold' });
      // A follow-up answers a question that was just heard: its own chime would only cover the answer.
      enqueue.sendTo('ear', { type: 'ear.open', turn, choice: options.choice, chime: source !== 'follow-up' });
      enqueue.sendTo('assist', { type: 'assist.begin', turn, pipelineId, deviceId, conversationId });
      enqueue.raise({ type: 'turn.expired' }, { delay: 'turnBound', id: 'turn' });
      enqueue.raise({ type: 'opening.expired' }, { delay: 'openBound', id: 'opening' });
      enqueue.raise({ type: 'mark.expired' }, { delay: 'markBound', id: 'mark' });
    }),
    stage: assign(({ context }, event: OfTurn) => staged(context, event)),
    decide: assign((_, { conversationId, continues }: EventOf<'assist.decided'>) => ({
      conversationId,
      continues,
      isDecided: true,
    })),
    endRun: assign({ run: 'ended' }),
    play: enqueueActions(({ enqueue }, { turn, url }: EventOf<'assist.answered'>) => {
      enqueue.assign({ reply: 'playing' });
      // The address is passed on with this one event and is not kept here.
      enqueue.sendTo('reply', { type: 'reply.play', turn, url });
    }),
    endReply: assign({ reply: 'ended' }),
    dropPress: assign(({ context }, event: Released) => (isOwnRelease(context, byOf(event)) ? { press: null } : {})),
    /** Ends a turn in order: what it opened is closed, and what it held is released. */
    conclude: enqueueActions(({ context, enqueue }, end: TurnEnd) => {
      const { turn, ear, speech, run, reply, times } = context;
      if (times === null) return;
      for (const wait of waits) enqueue.cancel(wait);
      if (ear !== null || speech !== 'over') enqueue.sendTo('ear', { type: 'ear.close', turn });
      if (run === 'running') enqueue.sendTo('assist', { type: 'assist.cancel', turn });
      if (reply === 'playing') enqueue.sendTo('reply', { type: 'reply.stop', turn });
      enqueue.sendTo('reply', { type: 'reply.unduck' });
      enqueue.sendTo('panel', { type: 'panel.rest' });
      enqueue.assign(concluded(context, end));
    }),

    // Check
    /** What is done is told at once; that it runs, once the room is shown it. */
    askForCheck: enqueueActions(({ context, enqueue }, { requestId }: EventOf<'voice.check'>) => {
      enqueue.assign(
        derived(context, { checkRequest: requestId, unmarked: null, isMarked: true, error: null, isEarError: false }),
      );
      enqueue.sendTo('panel', { type: 'panel.light' });
      enqueue.sendTo('indication', { type: 'indication.hold' });
    }),
    openCheck: enqueueActions(({ context, enqueue }) => {
      enqueue.assign(checkBegun(context));
      enqueue.sendTo('ear', { type: 'ear.check', check: context.checks + 1, choice: context.options.choice });
      const reply = checkAnswer(context, { status: 'accepted', check: context.checks + 1 });
      if (reply !== null) enqueue.emit(reply);
    }),
    refuseUnmarked: enqueueActions(({ context, enqueue }, { reason }: EventOf<'indication.refused'>) => {
      enqueue.assign(derived(context, { checkRequest: null }));
      const reply = checkAnswer(context, { status: 'refused', reason: 'indication', code: unmarkedCode(reason) });
      if (reply !== null) enqueue.emit(reply);
    }),
    refuseUnshown: enqueueActions(({ context, enqueue }) => {
      enqueue.assign(derived(context, { checkRequest: null }));
      const reply = checkAnswer(context, { status: 'refused', reason: 'indication', code: 'indication' });
      if (reply !== null) enqueue.emit(reply);
    }),
    /** It was begun and cut short, before anything was opened. */
    cutCheck: enqueueActions(({ context, enqueue }) => {
      enqueue.assign(checkCut(context));
      const reply = checkAnswer(context, { status: 'accepted', check: context.checks + 1 });
      if (reply !== null) enqueue.emit(reply);
    }),
    afterCheck: enqueueActions(({ context, enqueue }) => {
      enqueue.assign({ isMarked: false });
      if (context.isMarked) enqueue.sendTo('indication', { type: 'indication.release' });
      enqueue.sendTo('panel', { type: 'panel.rest' });
    }),
    refuseCheck: emit(({ context }, { requestId }: EventOf<'voice.check'>) => ({
      type: 'reply' as const,
      requestId,
      outcome: { status: 'refused' as const, reason: checkRefusalOf(context) ?? 'busy' },
    })),
    notePlaying: assign(({ context }) => ({
      check: context.check === null ? null : { ...context.check, phase: 'playing' as const },
    })),
    endCheck: enqueueActions(({ context, enqueue }) => {
      if (isChecking(context)) enqueue.sendTo('ear', { type: 'ear.end-check', check: context.checks });
    }),
    stopCheck: enqueueActions(({ context, enqueue }) => {
      if (!isCheckAsked(context)) return;
      if (isChecking(context)) enqueue.sendTo('ear', { type: 'ear.end-check', check: context.checks });
      enqueue.sendTo('panel', { type: 'panel.rest' });
      const reply = checkAnswer(context, { status: 'refused', reason: 'off' });
      if (reply !== null) enqueue.emit(reply);
      enqueue.assign({ checkRequest: null });
    }),
    noteUnmarked: assign((_, { reason }: EventOf<'indication.refused'>) => ({ unmarked: unmarkedCode(reason) })),
    takeCheck: enqueueActions(({ context, enqueue }, event: EventOf<'check.ended'>) => {
      if (isRecorded(event)) enqueue.cancel('rest');
      enqueue.assign(checkOver(context, event));
    }),

    // Screen
    show: sendTo('overlay', ({ context }, { phase }: { readonly phase: VoicePhase }) => shown(context, phase)),
    /** A turn whose microphone is closed already has another phase at once. */
    showEnding: enqueueActions(({ context, enqueue }) => {
      if (!isClosed(context)) enqueue.sendTo('overlay', shown(context, 'processing'));
    }),
  },
});
