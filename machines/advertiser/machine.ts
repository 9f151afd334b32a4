import { assign, enqueueActions, sendTo, setup } from 'xstate';

import { crashed, outcomeOf, stopped, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { advertisementOf } from './advertisement.ts';
import type {
  AdvertiserCommand,
  AdvertiserContext,
  AdvertiserEvent,
  AdvertiserFact,
  Lan,
  LanFact,
  WishFact,
} from './events.ts';
import { healthyRecovery, recover, type RecoveryEvent } from './recovery.ts';

/** Everything the machine remembers: the public facts and what is under way. */
export interface AdvertiserMachineContext extends AdvertiserContext {
  /** Raised with every start of the responder; a report of another one is late. */
  readonly generation: number;
  /** Raised with every question. */
  readonly ask: number;
}

/**
 * Wait after the start before the first question, and between questions while all is well and while it is not, in
 * milliseconds.
 */
const WAITS = { settleMs: 1000, calmMs: 30_000, uneasyMs: 5000 };
/** Longest wait for a responder: it takes 0.8 to 1.8 seconds, and a slow panel ten times that. */
const START_BOUND_MS = 15_000;
/** Longest wait for what came of a question, which the driver itself bounds at 1.5 seconds. */
const ASK_BOUND_MS = 5000;

const sameLan = (a: Lan | null | 'unseen', b: Lan | null): boolean =>
  a === b ||
  (a !== null &&
    b !== null &&
    a !== 'unseen' &&
    a.interface === b.interface &&
    a.address === b.address &&
    a.family === b.family);

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
    wishes: placeholder<AdvertiserCommand, undefined, WishFact>(),
  },
  delays: {
    settle: WAITS.settleMs,
    pause: ({ context: { recovery } }) =>
      recovery.misses > 0 || recovery.phase === 'recovering' ? WAITS.uneasyMs : WAITS.calmMs,
    startBound: START_BOUND_MS,
    askBound: ASK_BOUND_MS,
  },
  guards: {
    isSameLan: ({ context, event }) => event.type === 'lan.seen' && sameLan(context.lan, event.lan),
    isWanted: ({ context }) => context.wish !== null && context.lan !== null && context.lan !== 'unseen',
    isNewest: ({ context, event }) => 'generation' in event && event.generation === context.generation,
    isAnswer: ({ context, event }) => event.type === 'responder.asked' && event.ask === context.ask,
    isDue: ({ context, event }) =>
      event.type === 'advertiser.rebuild-due' && event.token === context.recovery.pending?.token,
    isExhausted: ({ context }) => context.recovery.phase === 'exhausted',
  },
  actions: {
    takeLan: assign(({ event }) => (event.type === 'lan.seen' ? { lan: event.lan } : {})),
    takeWish: assign(({ event }) => (event.type === 'advertiser.wished' ? { wish: event.wish } : {})),
    rest: assign({ standing: 'idle', seen: null, renamed: false }),
    withdraw: sendTo('responder', { type: 'responder.stop' }),
    begin: assign(({ context }) => ({
      generation: context.generation + 1,
      standing: 'starting' as const,
      seen: null,
      renamed: false,
    })),
    start: sendTo('responder', ({ context }) => {
      // Entered only while both are known (`isWanted`).
      if (context.wish === null || context.lan === null || context.lan === 'unseen')
        return { type: 'responder.stop' as const };
      return {
        type: 'responder.start' as const,
        generation: context.generation,
        lan: context.lan,
        advertisement: advertisementOf(context.wish),
      };
    }),
    noteUp: assign(({ event }) =>
      event.type === 'responder.up' ? { standing: 'up' as const, renamed: event.renamed } : {},
    ),
    noteName: assign({ renamed: true }),
    noteDown: assign({ standing: 'down' }),
    ask: sendTo('responder', ({ context }) => ({ type: 'responder.ask' as const, ask: context.ask })),
    countAsk: assign(({ context }) => ({ ask: context.ask + 1 })),
    noteResult: assign(({ event }) => (event.type === 'responder.asked' ? { seen: event.result } : {})),
    judge: enqueueActions(({ context, event, enqueue }, params: { readonly of: RecoveryEvent | null }) => {
      const happened = params.of ?? asRecoveryEvent(event);
      if (happened === null) return;
      const before = context.recovery;
      const next = recover(before, happened);
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

const asRecoveryEvent = (event: AdvertiserEvent): RecoveryEvent | null => {
  switch (event.type) {
    case 'responder.asked':
      return { type: 'probed', result: event.result };
    case 'responder.failed':
      return { type: 'failed', code: event.code };
    case 'advertiser.rebuild-due':
      return { type: 'begun', token: event.token };
    case 'lan.seen':
    case 'advertiser.wished':
    case 'advertiser.look':
      return { type: 'renewed' };
    default:
      return null;
  }
};

const judged = { type: 'judge', params: { of: null } } as const;

/**
 * Announces the panel on the network, asks the network whether it is heard, and rebuilds the responder in bounded
 * tries.
 */
export const advertiserMachine = advertiserSetup.createMachine({
  id: 'advertiser',
  options: { maxIterations: 50 },
  context: {
    lan: 'unseen',
    wish: null,
    standing: 'idle',
    seen: null,
    renamed: false,
    recovery: healthyRecovery,
    generation: 0,
    ask: 0,
  },
  invoke: [
    { id: 'responder', src: 'responder', onError: '.failed' },
    { id: 'lan', src: 'lan', onError: '.failed' },
    { id: 'wishes', src: 'wishes', onError: '.failed' },
  ],
  output: outcomeOf,
  initial: 'idle',
  on: {
    'lan.seen': [{ guard: 'isSameLan' }, { target: '.deciding', actions: ['takeLan', judged] }],
    'advertiser.wished': { target: '.deciding', actions: ['takeWish', judged] },
    // The goodbye is the driver's cleanup: it goes on while the other parts stop.
    'advertiser.stop': '.stopped',
  },
  states: {
    deciding: {
      always: [
        { guard: 'isWanted', target: 'starting' },
        { target: 'idle', actions: 'withdraw' },
      ],
    },
    idle: { entry: 'rest' },
    starting: {
      entry: ['begin', 'start'],
      on: {
        'responder.up': { guard: 'isNewest', target: 'up', actions: 'noteUp' },
        'responder.renamed': { guard: 'isNewest', actions: 'noteName' },
        'responder.failed': { guard: 'isNewest', target: 'down', actions: judged },
      },
      after: {
        startBound: {
          target: 'down',
          actions: ['withdraw', { type: 'judge', params: { of: { type: 'failed', code: 'recreation-failed' } } }],
        },
      },
    },
    up: {
      initial: 'settling',
      on: {
        'responder.renamed': { guard: 'isNewest', actions: 'noteName' },
        'responder.failed': { guard: 'isNewest', target: 'down', actions: judged },
        'advertiser.rebuild-due': { guard: 'isDue', target: 'starting', actions: judged },
      },
      states: {
        settling: { after: { settle: 'asking' } },
        asking: {
          entry: ['countAsk', 'ask'],
          on: { 'responder.asked': { guard: 'isAnswer', target: 'resting', actions: ['noteResult', judged] } },
          after: { askBound: 'resting' },
        },
        resting: {
          on: {
            'advertiser.look': [
              { guard: 'isExhausted', target: '#advertiser.deciding', actions: judged },
              { target: 'asking' },
            ],
          },
          after: { pause: 'asking' },
        },
      },
    },
    down: {
      entry: 'noteDown',
      on: {
        'advertiser.rebuild-due': { guard: 'isDue', target: 'starting', actions: judged },
        'advertiser.look': { guard: 'isExhausted', target: 'deciding', actions: judged },
      },
    },
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed({ responder: 'responder-driver', lan: 'lan-watch', wishes: 'wishes' }) },
  },
});
