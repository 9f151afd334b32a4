import { assign, emit, not, sendTo, setup } from 'xstate';

import { crashed, outcomeOf, stopped, type ReplyEvent, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import type { EpochMs } from '../kit/units.ts';
import type {
  KeeperCommand,
  KeeperFact,
  KeeperFacts,
  ProfilesAsk,
  ProfilesBoot,
  ProfilesContext,
  ProfilesEvent,
  ProfilesOutcomes,
  PulseFact,
  TrialTimes,
} from './asks.ts';
import { type HealthFacts, judgeHealth, nothingSeen } from './health.ts';

/** What the machine is started with. */
export interface ProfilesInput {
  readonly boot: ProfilesBoot;
  readonly times: TrialTimes;
}

/**
 * The record says nothing of this start: the command line named another profile, or the disk did not take what was
 * decided. How it fares proves nothing.
 */
const isBeside = ({ commandLine, issues }: ProfilesBoot): boolean =>
  commandLine || issues.includes('record-not-written');

const isOnTrial = ({ record }: KeeperFacts, boot: ProfilesBoot): boolean =>
  record.trial !== null && record.trial.attempts > 0 && !isBeside(boot);

/** What was read of the catalogue, and how much of the trial's time is left. */
const believed = (context: ProfilesContext, facts: KeeperFacts, at: EpochMs): Partial<ProfilesContext> => ({
  catalog: facts.catalog,
  trial: isOnTrial(facts, context.boot),
  screenBefore: facts.record.screenProven,
  deadlineInMs: Math.max(0, context.boot.startedAt + context.times.deadlineMs - at),
});

const obstacle = (context: ProfilesContext): ReturnType<typeof judgeHealth> =>
  context.boot.active === null ? 'revision-invalid' : judgeHealth(context.health, context.screenBefore);

/**
 * A selection was written down, and nothing has been started with it yet: an earlier instance of this part ended in
 * between.
 */
const owesRestart = ({ record }: KeeperFacts, boot: ProfilesBoot): boolean =>
  record.trial?.attempts === 0 && !isBeside(boot);

/** The one writer of the profile catalogue, and the watch over a start until it has reached its health point. */
export const profilesMachine = setup({
  types: {
    context: {} as ProfilesContext,
    events: {} as ProfilesEvent,
    input: {} as ProfilesInput,
    output: {} as WorkerOutcome,
    emitted: {} as ReplyEvent<ProfilesOutcomes[keyof ProfilesOutcomes]>,
  },
  actors: {
    keeper: placeholder<KeeperCommand, undefined, KeeperFact>(),
    /** Reports what is seen of the start, whenever it changes. */
    pulse: placeholder<ProfilesEvent, undefined, PulseFact>(),
  },
  guards: {
    isSetAside: ({ context }) => isBeside(context.boot),
    isTrial: ({ context }) => context.trial,
    isWell: ({ context }) => obstacle(context) === null,
    owesRestart: (_, params: { readonly facts: KeeperFacts; readonly boot: ProfilesBoot }) =>
      owesRestart(params.facts, params.boot),
    isWritten: (_, params: { readonly written: boolean }) => params.written,
    asksRestart: (_, params: { readonly restart: boolean }) => params.restart,
  },
  actions: {
    load: sendTo('keeper', { type: 'keeper.load' }),
    serve: sendTo('keeper', (_, params: { readonly requestId: string; readonly ask: ProfilesAsk }) => ({
      type: 'keeper.serve',
      ...params,
    })),
    prove: sendTo('keeper', ({ context }) => ({
      type: 'keeper.prove',
      screenProven: context.health.screen === 'proven',
    })),
    takeBack: sendTo('keeper', ({ context }) => ({
      type: 'keeper.take-back',
      reason: obstacle(context) ?? 'ended-before-health',
    })),
    close: sendTo('keeper', { type: 'keeper.close' }),
    believe: assign(({ context }, params: { readonly facts: KeeperFacts; readonly at: EpochMs }) =>
      believed(context, params.facts, params.at),
    ),
    showCatalog: assign((_, params: { readonly facts: KeeperFacts | null }) =>
      params.facts === null ? {} : { catalog: params.facts.catalog },
    ),
    endTrial: assign({ trial: false }),
    noteHealth: assign((_, params: { readonly facts: HealthFacts }) => ({ health: params.facts })),
    askForRestart: assign({ restartDue: true }),
    reply: emit(
      (_, answer: { readonly requestId: string; readonly outcome: ProfilesOutcomes[keyof ProfilesOutcomes] }) => ({
        type: 'reply' as const,
        ...answer,
      }),
    ),
  },
  delays: {
    /** The catalogue is read once the start itself is over: nobody waits for it yet. */
    quiet: 250,
    hold: ({ context }) => context.times.holdMs,
    deadline: ({ context }) => context.deadlineInMs,
    answer: ({ context }) => context.times.answerMs,
    /** Until the disk is asked again to keep what was proved. */
    anotherTry: 15_000,
    /** How long the record of a failed trial may take: without it the next start comes to the same. */
    noting: 2000,
    /** How long a change under way may hold up the stop. */
    closing: 8,
  },
}).createMachine({
  id: 'profiles',
  context: ({ input }) => ({
    catalog: null,
    boot: input.boot,
    times: input.times,
    health: nothingSeen,
    screenBefore: false,
    trial: false,
    deadlineInMs: input.times.deadlineMs,
    restartDue: false,
  }),
  invoke: { id: 'keeper', src: 'keeper', onError: '.failed' },
  initial: 'quiet',
  options: { maxIterations: 10 },
  on: {
    'profiles.ask.*': {
      actions: { type: 'serve', params: ({ event }) => ({ requestId: event.requestId, ask: event.ask }) },
    },
    'profiles.stop': '.stopping',
    'keeper.answered': [
      {
        guard: { type: 'asksRestart', params: ({ event }) => ({ restart: event.restart }) },
        target: '.restarting',
        actions: [
          { type: 'showCatalog', params: ({ event }) => ({ facts: event.facts }) },
          { type: 'reply', params: ({ event }) => ({ requestId: event.requestId, outcome: event.outcome }) },
        ],
      },
      {
        actions: [
          { type: 'showCatalog', params: ({ event }) => ({ facts: event.facts }) },
          { type: 'reply', params: ({ event }) => ({ requestId: event.requestId, outcome: event.outcome }) },
        ],
      },
    ],
  },
  states: {
    quiet: { after: { quiet: 'loading' } },
    loading: {
      entry: 'load',
      on: {
        'keeper.loaded': [
          {
            guard: {
              type: 'owesRestart',
              params: ({ event, context }) => ({ facts: event.facts, boot: context.boot }),
            },
            target: 'restarting',
            actions: { type: 'believe', params: ({ event }) => ({ facts: event.facts, at: event.at }) },
          },
          {
            target: 'judging',
            actions: { type: 'believe', params: ({ event }) => ({ facts: event.facts, at: event.at }) },
          },
        ],
      },
    },
    judging: { always: [{ guard: 'isSetAside', target: 'resting' }, { target: 'watching' }] },
    /** On the way to the health point; without a trial as well, so that what a trial falls back to was proved. */
    watching: {
      invoke: { id: 'pulse', src: 'pulse', onError: 'failed' },
      initial: 'unwell',
      on: { 'pulse.seen': { actions: { type: 'noteHealth', params: ({ event }) => ({ facts: event.facts }) } } },
      after: { deadline: { guard: 'isTrial', target: 'takingBack' } },
      states: {
        unwell: { always: { guard: 'isWell', target: 'holding' } },
        holding: {
          always: { guard: not('isWell'), target: 'unwell' },
          after: { hold: { target: '#profiles.proving', actions: 'endTrial' } },
        },
      },
    },
    proving: {
      entry: 'prove',
      on: {
        'keeper.noted': [
          {
            guard: { type: 'isWritten', params: ({ event }) => ({ written: event.written }) },
            target: 'resting',
            actions: { type: 'showCatalog', params: ({ event }) => ({ facts: event.facts }) },
          },
          { actions: { type: 'showCatalog', params: ({ event }) => ({ facts: event.facts }) } },
        ],
      },
      after: { anotherTry: { target: 'proving', reenter: true } },
    },
    takingBack: {
      entry: 'takeBack',
      on: {
        'keeper.noted': {
          target: 'restarting',
          actions: { type: 'showCatalog', params: ({ event }) => ({ facts: event.facts }) },
        },
      },
      after: { noting: 'restarting' },
    },
    restarting: { after: { answer: { target: 'leaving', actions: 'askForRestart' } } },
    leaving: {},
    resting: {},
    stopping: {
      entry: 'close',
      after: { closing: 'stopped' },
      on: {
        'keeper.closed': 'stopped',
        'profiles.stop': {},
        'profiles.ask.*': {},
        'keeper.answered': {
          actions: { type: 'reply', params: ({ event }) => ({ requestId: event.requestId, outcome: event.outcome }) },
        },
      },
    },
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed('profiles-keeper') },
  },
  output: outcomeOf,
});
