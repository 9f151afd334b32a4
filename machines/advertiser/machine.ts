import { assign, enqueueActions, sendTo } from 'xstate';

import { crashed, outcomeOf, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import { withEvent } from '../kit/with-event.ts';
import { advertisementOf } from './advertisement.ts';
import type {
  AdvertiserCommand,
  AdvertiserContext,
  AdvertiserEvent,
  AdvertiserFact,
  DesiredFact,
  Lan,
  LanFact,
} from './events.ts';
import { healthyRecovery, recover, type RecoveryEvent } from './recovery.ts';

/** Public facts with the working state. */
interface AdvertiserMachineContext extends AdvertiserContext {
  /** Incremented with every start of the responder; a report with another number is late. */
  readonly generation: number;
  /** Incremented with every query. */
  readonly ask: number;
}

/**
 * Waits in milliseconds: before the first query after a start, and between queries while all is well and while it is
 * not.
 */
const WAITS = { settleMs: 1000, calmMs: 30_000, uneasyMs: 5000 };
/** Longest wait for a responder, which takes 0.8 to 1.8 s, and ten times that on a slow panel. */
const START_BOUND_MS = 15_000;
/** Longest wait for the result of a query, which the driver itself limits to 1.5 s. */
const ASK_BOUND_MS = 5000;

const sameLan = (a: Lan | null | 'unseen', b: Lan | null): boolean =>
  a === b ||
  (a !== null &&
    b !== null &&
    a !== 'unseen' &&
    a.interface === b.interface &&
    a.address === b.address &&
    a.family === b.family);

type Fact<T extends AdvertiserFact['type']> = Extract<AdvertiserFact, { readonly type: T }>;

const advertiserSetup = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as AdvertiserMachineContext,
    events: {} as AdvertiserEvent,
    output: {} as WorkerOutcome,
  },
  actors: {
    responder: placeholder<AdvertiserCommand, undefined, AdvertiserFact>(),
    lan: placeholder<AdvertiserCommand, undefined, LanFact>(),
    desired: placeholder<AdvertiserCommand, undefined, DesiredFact>(),
  },
  delays: {
    settle: WAITS.settleMs,
    pause: ({ context: { recovery } }) =>
      recovery.misses > 0 || recovery.phase === 'recovering' ? WAITS.uneasyMs : WAITS.calmMs,
    startBound: START_BOUND_MS,
    askBound: ASK_BOUND_MS,
  },
  guards: {
    isSameLan: ({ context }, { lan }: LanFact) => sameLan(context.lan, lan),
    isWanted: ({ context }) => context.desired !== null && context.lan !== null && context.lan !== 'unseen',
    isNewest: ({ context }, { generation }: { readonly generation: number }) => generation === context.generation,
    isAnswer: ({ context }, { ask }: Fact<'responder.asked'>) => ask === context.ask,
    isDue: ({ context }, { token }: { readonly token: number }) => token === context.recovery.pending?.token,
    isExhausted: ({ context }) => context.recovery.phase === 'exhausted',
  },
  actions: {
    takeLan: assign((_, { lan }: LanFact) => ({ lan })),
    takeDesired: assign((_, { desired }: DesiredFact) => ({ desired })),
    forget: assign({ seen: null, renamed: false }),
    withdraw: sendTo('responder', { type: 'responder.stop' }),
    begin: assign(({ context }) => ({
      generation: context.generation + 1,
      seen: null,
      renamed: false,
    })),
    start: sendTo('responder', ({ context }) => {
      // Only entered while both are known (`isWanted`).
      if (context.desired === null || context.lan === null || context.lan === 'unseen')
        return { type: 'responder.stop' as const };
      return {
        type: 'responder.start' as const,
        generation: context.generation,
        lan: context.lan,
        advertisement: advertisementOf(context.desired),
      };
    }),
    takeName: assign((_, { renamed }: Fact<'responder.up'>) => ({ renamed })),
    noteName: assign({ renamed: true }),
    ask: sendTo('responder', ({ context }) => ({ type: 'responder.ask' as const, ask: context.ask })),
    countAsk: assign(({ context }) => ({ ask: context.ask + 1 })),
    noteResult: assign((_, { result }: Fact<'responder.asked'>) => ({ seen: result })),
    judge: enqueueActions(({ context, enqueue }, entry: RecoveryEvent) => {
      const before = context.recovery;
      const next = recover(before, entry);
      enqueue.assign({ recovery: next });
      if (next.pending?.token === before.pending?.token) return;
      enqueue.cancel('rebuild');
      if (next.pending !== null)
        enqueue.raise(
          { type: 'advertiser.rebuild-due', token: next.pending.token },
          { id: 'rebuild', delay: next.pending.delayMs },
        );
    }),
  },
});

/** The `judge` action for each kind of event. */
const judged = {
  renewed: { type: 'judge', params: { type: 'renewed' } },
  failed: {
    type: 'judge',
    params: ({ event }: { readonly event: Fact<'responder.failed'> }): RecoveryEvent => ({
      type: 'failed',
      code: event.code,
    }),
  },
  probed: {
    type: 'judge',
    params: ({ event }: { readonly event: Fact<'responder.asked'> }): RecoveryEvent => ({
      type: 'probed',
      result: event.result,
    }),
  },
  begun: {
    type: 'judge',
    params: ({ event }: { readonly event: { readonly token: number } }): RecoveryEvent => ({
      type: 'begun',
      token: event.token,
    }),
  },
  silent: { type: 'judge', params: { type: 'failed', code: 'recreation-failed' } },
} as const;

/**
 * Announces the panel on the network, queries the network for the announcement, and rebuilds the responder a bounded
 * number of times.
 */
export const advertiserMachine = advertiserSetup.createMachine({
  id: 'advertiser',
  options: { maxIterations: 50 },
  context: {
    lan: 'unseen',
    desired: null,
    seen: null,
    renamed: false,
    recovery: healthyRecovery,
    generation: 0,
    ask: 0,
  },
  invoke: [
    { id: 'responder', src: 'responder', onError: '.failed' },
    { id: 'lan', src: 'lan', onError: '.failed' },
    { id: 'desired', src: 'desired', onError: '.failed' },
  ],
  output: outcomeOf,
  initial: 'idle',
  on: {
    'lan.observed': [
      { guard: withEvent('isSameLan') },
      { target: '.deciding', actions: [withEvent('takeLan'), judged.renewed] },
    ],
    'advertisement.desired': { target: '.deciding', actions: [withEvent('takeDesired'), judged.renewed] },
  },
  states: {
    deciding: {
      always: [
        { guard: 'isWanted', target: 'starting' },
        { target: 'idle', actions: 'withdraw' },
      ],
    },
    idle: { entry: 'forget' },
    starting: {
      entry: ['begin', 'start'],
      on: {
        'responder.up': { guard: withEvent('isNewest'), target: 'up', actions: withEvent('takeName') },
        'responder.renamed': { guard: withEvent('isNewest'), actions: 'noteName' },
        'responder.failed': { guard: withEvent('isNewest'), target: 'down', actions: judged.failed },
      },
      after: {
        startBound: {
          target: 'down',
          actions: ['withdraw', judged.silent],
        },
      },
    },
    up: {
      initial: 'settling',
      on: {
        'responder.renamed': { guard: withEvent('isNewest'), actions: 'noteName' },
        'responder.failed': { guard: withEvent('isNewest'), target: 'down', actions: judged.failed },
        'advertiser.rebuild-due': { guard: withEvent('isDue'), target: 'starting', actions: judged.begun },
      },
      states: {
        settling: { after: { settle: 'asking' } },
        asking: {
          entry: ['countAsk', 'ask'],
          on: {
            'responder.asked': {
              guard: withEvent('isAnswer'),
              target: 'resting',
              actions: [withEvent('noteResult'), judged.probed],
            },
          },
          after: { askBound: 'resting' },
        },
        resting: {
          on: {
            'advertiser.probe': [
              { guard: 'isExhausted', target: '#advertiser.deciding', actions: judged.renewed },
              { target: 'asking' },
            ],
          },
          after: { pause: 'asking' },
        },
      },
    },
    down: {
      on: {
        'advertiser.rebuild-due': { guard: withEvent('isDue'), target: 'starting', actions: judged.begun },
        'advertiser.probe': { guard: 'isExhausted', target: 'deciding', actions: judged.renewed },
      },
    },
    failed: {
      type: 'final',
      output: crashed({ responder: 'responder-driver', lan: 'lan-watch', desired: 'desired-state' }),
    },
  },
});
