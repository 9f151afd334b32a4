import { assign, emit, not, sendTo } from 'xstate';

import { crashed, outcomeOf, stopped, type ReplyEvent, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import { withEvent } from '../kit/with-event.ts';
import type { ProfilesBoot } from './boot.ts';
import type {
  CatalogCommand,
  CatalogFact,
  CatalogState,
  HealthFact,
  ProfileCatalogContext,
  ProfilesEvent,
  ProfilesRequest,
} from './events.ts';
import { judgeHealth, nothingObserved, type TrialTimes } from './health.ts';
import type { ProfilesAnswers } from './requests.ts';

export interface ProfilesInput {
  readonly boot: ProfilesBoot;
  readonly times: TrialTimes;
}

type FactOf<T extends CatalogFact['type']> = Extract<CatalogFact, { readonly type: T }>;

/**
 * True if the record does not describe this start: the command line named another profile, or the decision could not be
 * written. Its health then proves nothing.
 */
const isUnrecorded = ({ commandLine, issues }: ProfilesBoot): boolean =>
  commandLine || issues.includes('record-not-written');

const isOnTrial = ({ record }: CatalogState, boot: ProfilesBoot): boolean =>
  record.trial !== null && record.trial.attempts > 0 && !isUnrecorded(boot);

const obstacle = (context: ProfileCatalogContext): ReturnType<typeof judgeHealth> =>
  context.boot.active === null ? 'revision-invalid' : judgeHealth(context.health, context.screenBefore);

/** The only writer of the profile catalogue; it watches each start until its health point. */
export const profileCatalogMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as ProfileCatalogContext,
    events: {} as ProfilesEvent,
    input: {} as ProfilesInput,
    output: {} as WorkerOutcome,
    emitted: {} as ReplyEvent<ProfilesAnswers[keyof ProfilesAnswers]>,
  },
  actors: {
    store: placeholder<CatalogCommand, undefined, CatalogFact>(),
    /** Reports the health of the start whenever it changes. */
    healthProbe: placeholder<ProfilesEvent, undefined, HealthFact>(),
  },
  guards: {
    isSetAside: ({ context }) => isUnrecorded(context.boot),
    isTrial: ({ context }) => context.trial,
    isWell: ({ context }) => obstacle(context) === null,
    // A selection was stored but not started yet: an earlier instance of this part ended in between.
    owesRestart: ({ context }, { state }: FactOf<'catalog.loaded'>) =>
      state.record.trial?.attempts === 0 && !isUnrecorded(context.boot),
    isWritten: (_, { written }: FactOf<'catalog.noted'>) => written,
    needsRestart: (_, { restart }: FactOf<'catalog.answered'>) => restart,
  },
  actions: {
    load: sendTo('store', { type: 'catalog.load' }),
    serve: sendTo('store', (_, { requestId, ask }: ProfilesRequest) => ({ type: 'catalog.serve', requestId, ask })),
    prove: sendTo('store', ({ context }) => ({
      type: 'catalog.prove',
      screenProven: context.health.screen === 'proven',
    })),
    takeBack: sendTo('store', ({ context }) => ({
      type: 'catalog.take-back',
      reason: obstacle(context) ?? 'ended-before-health',
    })),
    close: sendTo('store', { type: 'catalog.close' }),
    accept: assign(({ context }, { state, at }: FactOf<'catalog.loaded'>) => ({
      catalog: state.catalog,
      trial: isOnTrial(state, context.boot),
      screenBefore: state.record.screenProven,
      deadlineInMs: Math.max(0, context.boot.startedAt + context.times.deadlineMs - at),
    })),
    showCatalog: assign((_, { state }: FactOf<'catalog.answered' | 'catalog.noted'>) =>
      state === null ? {} : { catalog: state.catalog },
    ),
    endTrial: assign({ trial: false }),
    noteHealth: assign(({ context }, { facts, at }: HealthFact) => ({
      health: facts,
      wellSince: obstacle({ ...context, health: facts }) === null ? (context.wellSince ?? at) : null,
    })),
    markRestartDue: assign({ restartDue: true }),
    reply: emit((_, { requestId, outcome }: FactOf<'catalog.answered'>) => ({
      type: 'reply' as const,
      requestId,
      outcome,
    })),
    refuse: emit((_, { requestId }: ProfilesRequest) => ({
      type: 'reply' as const,
      requestId,
      outcome: { status: 'stopping' as const },
    })),
  },
  delays: {
    /** The catalogue is read once the start itself is over: nothing needs it yet. */
    quiet: 250,
    hold: ({ context }) => context.times.holdMs,
    deadline: ({ context }) => context.deadlineInMs,
    answer: ({ context }) => context.times.answerMs,
    /** Pause before the proof is written again after a failure. */
    proveRetry: 15_000,
    /** How long writing a failed trial may take: without it the next start comes to the same decision. */
    notingBound: 2000,
    /** How long a change under way may delay the stop: an import takes up to three fsyncs on an SD card. */
    closingBound: 250,
  },
}).createMachine({
  id: 'profile-catalog',
  context: ({ input }) => ({
    catalog: null,
    boot: input.boot,
    times: input.times,
    health: nothingObserved,
    wellSince: null,
    screenBefore: false,
    trial: false,
    deadlineInMs: input.times.deadlineMs,
    restartDue: false,
  }),
  invoke: { id: 'store', src: 'store', onError: '.failed' },
  initial: 'quiet',
  options: { maxIterations: 10 },
  on: {
    'profiles.ask.*': { actions: withEvent('serve') },
    'profiles.stop': '.stopping',
    'catalog.answered': [
      {
        guard: withEvent('needsRestart'),
        target: '.restarting',
        actions: [withEvent('showCatalog'), withEvent('reply')],
      },
      { actions: [withEvent('showCatalog'), withEvent('reply')] },
    ],
  },
  states: {
    quiet: { after: { quiet: 'loading' } },
    loading: {
      entry: 'load',
      on: {
        'catalog.loaded': [
          { guard: withEvent('owesRestart'), target: 'restarting', actions: withEvent('accept') },
          { target: 'judging', actions: withEvent('accept') },
        ],
      },
    },
    judging: { always: [{ guard: 'isSetAside', target: 'resting' }, { target: 'watching' }] },
    /** On the way to the health point; also without a trial, so that the fallback of a later trial is proved. */
    watching: {
      invoke: { id: 'healthProbe', src: 'healthProbe', onError: 'failed' },
      initial: 'unwell',
      on: { 'health.probed': { actions: withEvent('noteHealth') } },
      after: { deadline: { guard: 'isTrial', target: 'takingBack' } },
      states: {
        unwell: { always: { guard: 'isWell', target: 'holding' } },
        holding: {
          always: { guard: not('isWell'), target: 'unwell' },
          after: { hold: { target: '#profile-catalog.proving', actions: 'endTrial' } },
        },
      },
    },
    proving: {
      entry: 'prove',
      on: {
        'catalog.noted': [
          { guard: withEvent('isWritten'), target: 'resting', actions: withEvent('showCatalog') },
          { actions: withEvent('showCatalog') },
        ],
      },
      after: { proveRetry: { target: 'proving', reenter: true } },
    },
    takingBack: {
      entry: 'takeBack',
      on: { 'catalog.noted': { target: 'restarting', actions: withEvent('showCatalog') } },
      after: { notingBound: 'restarting' },
    },
    restarting: { after: { answer: { target: 'leaving', actions: 'markRestartDue' } } },
    leaving: {},
    resting: {},
    stopping: {
      entry: 'close',
      after: { closingBound: 'stopped' },
      on: {
        'catalog.closed': 'stopped',
        'profiles.stop': {},
        'profiles.ask.*': { actions: withEvent('refuse') },
        'catalog.answered': { actions: withEvent('reply') },
      },
    },
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed('profiles-store') },
  },
  output: outcomeOf,
});
