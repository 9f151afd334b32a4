import { and, not } from 'xstate';

import { faultIn } from '../kit/fault.ts';
import { withEvent } from '../kit/with-event.ts';
import type { CompanionFacts } from './facts.ts';
import { companionSetup } from './implementations.ts';
import type { MoveCode, MoveOutcome } from './move.ts';
import {
  abandoned,
  arrived,
  atStep,
  clientOf,
  endOf,
  followed,
  leftBehind,
  listed,
  noted,
  notWithdrawn,
  over,
  previewOf,
  recalled,
  released,
  refusedMove,
  requested,
  unapplied,
  resumed,
  takenBack as withoutChange,
  wantedAtHome,
  type Withdrawn,
} from './moving.ts';
type Facts = { readonly context: CompanionFacts };
type Answered = { readonly output: Withdrawn };

const change = (of: (facts: CompanionFacts) => Partial<CompanionFacts>) => ({
  type: 'change' as const,
  params: ({ context }: Facts) => of(context),
});
const keep = (isAwaited: boolean) => ({ type: 'keepMemory' as const, params: isAwaited });
const answer = (outcomeOf: (facts: CompanionFacts) => MoveOutcome) => ({
  type: 'answerMove' as const,
  params: ({ context }: Facts) => outcomeOf(context),
});
const refuse = (code: MoveCode) => answer(() => refusedMove(code));
const refuseNew = (code: MoveCode) => ({
  type: 'refuseMove' as const,
  params: ({ event: { requestId } }: { readonly event: { readonly requestId: string } }) => ({ requestId, code }),
});
const tell = (step: 'prepare' | 'release' | 'apply' | 'abandon') => ({ type: 'tellHome' as const, params: step });

/** Nothing was changed: Home Assistant forgets what it kept, and so does the store. */
const takenBack = (code: MoveCode) => ({
  target: '#transport.settled' as const,
  actions: [refuse(code), tell('abandon'), change(withoutChange), keep(false)],
});
const report = (operation: string) => ({ type: 'reportFault' as const, params: faultIn(operation) });
function failed(operation: string, code: MoveCode) {
  const { target, actions } = takenBack(code);
  return { target, actions: [report(operation), ...actions] };
}
const finished = (isApplied: boolean) => ({
  target: '#transport.settled' as const,
  actions: [answer((facts) => endOf(facts, isApplied)), change(over), keep(false)],
});

/**
 * The surface in force. It follows the setting, and changes in order: Home Assistant keeps the owner's choices, the old
 * surface is left, the setting is saved, the new one is in force, and the choices are applied. Until the setting is
 * saved, everything is taken back; after that, everything goes on.
 */
export const transport = companionSetup.createStateConfig({
  id: 'transport',
  initial: 'unknown',
  on: { 'companion.move': { actions: refuseNew('moving') } },
  states: {
    unknown: {
      on: { 'companion.move': { actions: refuseNew('not-known-yet') } },
      always: [
        {
          guard: and(['knowsSurface', 'isToApply']),
          target: 'applying',
          actions: [change(resumed), 'raiseMoved'],
        },
        {
          guard: and(['knowsSurface', 'isReleased']),
          target: 'arriving',
          actions: [change(recalled), change(followed), change(released)],
        },
        { guard: 'knowsSurface', target: 'settled', actions: [change(recalled), 'raiseMoved'] },
      ],
    },
    settled: {
      always: [
        { guard: not('isAsWanted'), target: 'preparing', actions: change(followed) },
        { guard: 'hasLostLastKey', target: 'committing', actions: change(() => abandoned) },
      ],
      on: {
        'companion.move': [
          { guard: withEvent('isAtSurface'), actions: withEvent('answerUnchanged') },
          { guard: withEvent('lacksSession'), actions: refuseNew('no-session') },
          { target: 'preparing', actions: { type: 'change', params: ({ event }) => requested(event) } },
        ],
        'session.moved': { guard: withEvent('isLate'), actions: [change(over), keep(false)] },
        'session.move-wanted': {
          guard: withEvent('isElsewhere'),
          target: 'consenting',
          actions: { type: 'change', params: ({ event }) => wantedAtHome(event) },
        },
      },
    },
    /** A person in Home Assistant wants it; in Hardened mode one at the panel must agree. */
    consenting: {
      invoke: {
        id: 'consent',
        src: 'consent',
        input: ({ context }) => ({ clientId: clientOf(context), to: context.move?.to ?? 'mqtt' }),
        onDone: [{ guard: withEvent('isDone'), target: 'preparing' }, takenBack('denied')],
        onError: failed('move-consent', 'denied'),
      },
    },
    preparing: {
      entry: [change((facts) => atStep(facts, 'prepare')), tell('prepare')],
      always: { guard: not('hasSession'), target: 'prepared' },
      on: {
        'session.moved': [
          {
            guard: withEvent('isOfMove'),
            target: 'prepared',
            actions: { type: 'change', params: ({ context, event }) => listed(context, event) },
          },
          { guard: withEvent('isFailedMove'), target: 'unprepared' },
        ],
      },
      after: { prepare: 'unprepared' },
    },
    unprepared: {
      always: [
        { guard: 'isDryRun', target: 'prepared' },
        { guard: 'isForced', target: 'prepared' },
        takenBack('not-prepared'),
      ],
    },
    prepared: {
      always: [
        {
          guard: 'isDryRun',
          target: 'settled',
          actions: [answer(previewOf), tell('abandon'), change(withoutChange)],
        },
        { guard: 'isToNative', target: 'noting', actions: change((facts) => noted(facts, 'withdraw')) },
        { guard: 'hasSession', target: 'noting', actions: change((facts) => noted(facts, 'release')) },
        { target: 'committing' },
      ],
    },
    /** The step is stored before it begins. */
    noting: {
      entry: keep(true),
      on: {
        'memory.kept': [
          { guard: withEvent('isKeptToNative'), target: 'withdrawing' },
          { guard: withEvent('isKept'), target: 'releasing' },
          { guard: 'isBySetting', target: 'waiting' },
          takenBack('not-saved'),
        ],
      },
    },
    withdrawing: {
      entry: change((facts) => atStep(facts, 'withdraw')),
      invoke: {
        id: 'withdraw',
        src: 'withdraw',
        input: ({ context }) => ({ leave: context.move?.leave === true }),
        onDone: [
          {
            guard: withEvent('mayLeave'),
            target: 'committing',
            actions: { type: 'change', params: ({ context, event }) => leftBehind(context, event.output) },
          },
          {
            guard: 'isBySetting',
            target: 'waiting',
            actions: [
              { type: 'answerMove', params: ({ event }: { readonly event: Answered }) => notWithdrawn(event.output) },
              'dropRequest',
            ],
          },
          {
            target: 'settled',
            actions: [
              { type: 'answerMove', params: ({ event }: { readonly event: Answered }) => notWithdrawn(event.output) },
              tell('abandon'),
              change(withoutChange),
              keep(false),
            ],
          },
        ],
        onError: [
          { guard: 'isBySetting', target: 'waiting', actions: report('move-withdraw') },
          failed('move-withdraw', 'publisher-busy'),
        ],
      },
    },
    /** The setting is saved, but the broker still has the entities: they go through it until they are withdrawn. */
    waiting: {
      always: { guard: 'isAsWanted', ...takenBack('not-saved') },
      after: { again: 'prepared' },
      on: {
        'companion.move': [
          { guard: withEvent('isLeaving'), target: 'prepared', actions: withEvent('joinMove') },
          { guard: withEvent('isAtSurface'), actions: refuseNew('moving') },
          { actions: refuseNew('broker-away') },
        ],
      },
    },
    releasing: {
      entry: [change((facts) => atStep(facts, 'release')), tell('release')],
      always: [
        { guard: and([not('hasSession'), 'isForced']), target: 'committing' },
        { guard: not('hasSession'), ...takenBack('not-released') },
      ],
      on: {
        'session.moved': [
          { guard: withEvent('isOfMove'), target: 'committing' },
          { guard: withEvent('isFailedForced'), target: 'committing' },
          { guard: withEvent('isFailedMove'), ...takenBack('not-released') },
        ],
      },
      after: { prepare: [{ guard: 'isForced', target: 'committing' }, takenBack('not-released')] },
    },
    /** From here on there is no way back. */
    committing: {
      entry: change((facts) => atStep(facts, 'commit')),
      invoke: {
        id: 'commit',
        src: 'commit',
        input: ({ context }) => ({ to: context.move?.to ?? 'mqtt' }),
        onDone: [{ guard: withEvent('isDone'), target: 'arriving' }, takenBack('not-saved')],
        onError: failed('move-commit', 'not-saved'),
      },
    },
    arriving: {
      entry: [change(arrived), 'raiseMoved', keep(true)],
      // A disk that refuses it now: the next start finds the setting, and arrives again.
      on: { 'memory.kept': 'applying' },
    },
    applying: {
      entry: [change((facts) => atStep(facts, 'apply')), tell('apply')],
      always: { guard: not('isPrepared'), ...finished(false) },
      on: {
        'session.moved': [
          { guard: withEvent('isOfMove'), ...finished(true) },
          { guard: withEvent('isFailedMove'), ...finished(false) },
        ],
      },
      // Home Assistant keeps the choices, and applies them in a later session.
      after: {
        apply: {
          target: '#transport.settled',
          actions: [answer((facts) => endOf(facts, false)), change(() => unapplied)],
        },
      },
    },
  },
});
