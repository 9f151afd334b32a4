import { assign, emit, enqueueActions, sendTo, setup, type EventObject } from 'xstate';
import { crashed, outcomeOf, stopped, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { admitAdb, judgeAdb } from './decide.ts';
import type {
  AdbContext,
  AdbDriverCommand,
  AdbEvent,
  AdbFact,
  AdbOutcome,
  AdbPhase,
  AdbTask,
  AdbWish,
  WishFact,
} from './events.ts';

const at = (phase: AdbPhase, network: boolean, user: string | null = null): AdbContext => ({
  phase,
  network,
  verdict: judgeAdb(phase, user),
});

/** The bridge to an Android panel: admits the device that the settings name, and says how the bridge stands. */
export const adbMachine = setup({
  types: {
    context: {} as AdbContext,
    events: {} as AdbEvent,
    emitted: {} as { readonly type: 'reply'; readonly requestId: string; readonly outcome: AdbOutcome },
    output: {} as WorkerOutcome,
  },
  actors: {
    bridge: placeholder<AdbDriverCommand, undefined, AdbFact>(),
    /** Follows the settings that decide. */
    wishes: placeholder<EventObject, undefined, WishFact>(),
  },
  actions: {
    admit: enqueueActions(({ enqueue }, { wish }: { readonly wish: AdbWish }) => {
      const target = admitAdb(wish);
      const refused = target === 'refused' || target === null;
      enqueue.sendTo('bridge', { type: 'adb.use', target: refused ? null : target } satisfies AdbDriverCommand);
      enqueue.assign(
        at(
          target === 'refused' ? 'refused' : 'waiting',
          target !== null && target !== 'refused' && target.kind === 'network',
        ),
      );
    }),
    see: assign(({ context }, { phase, user }: { readonly phase: AdbPhase; readonly user: string | null }) =>
      at(phase, context.network, user),
    ),
    hand: sendTo(
      'bridge',
      (_, { requestId, command }: AdbTask) => ({ type: 'adb.do', requestId, command }) satisfies AdbDriverCommand,
    ),
    answer: emit(
      (_, { requestId, outcome }: { readonly requestId: string; readonly outcome: AdbOutcome }) =>
        ({ type: 'reply', requestId, outcome }) as const,
    ),
    forget: sendTo('bridge', { type: 'adb.use', target: null } satisfies AdbDriverCommand),
  },
  guards: {
    isOffline: ({ context }) => context.phase !== 'online',
    isRefused: ({ context }) => context.phase === 'refused',
  },
}).createMachine({
  id: 'adb',
  context: { phase: 'waiting', network: false, verdict: judgeAdb(null) },
  invoke: [
    { id: 'bridge', src: 'bridge', onError: '.failed' },
    { id: 'wishes', src: 'wishes', onError: '.failed' },
  ],
  initial: 'running',
  on: { 'adb.stop': '.stopped' },
  states: {
    running: {
      on: {
        'adb.wished': { actions: { type: 'admit', params: ({ event }) => ({ wish: event.wish }) } },
        'adb.press': {
          actions: { type: 'hand', params: ({ event }) => ({ requestId: '', command: { do: 'key', key: event.key } }) },
        },
        'adb.ask': [
          {
            guard: 'isOffline',
            actions: {
              type: 'answer',
              params: ({ event }) => ({ requestId: event.requestId, outcome: { ok: false, reason: 'offline' } }),
            },
          },
          {
            actions: { type: 'hand', params: ({ event }) => ({ requestId: event.requestId, command: event.command }) },
          },
        ],
        'adb.done': {
          actions: { type: 'answer', params: ({ event }) => ({ requestId: event.requestId, outcome: event.outcome }) },
        },
        'adb.seen': [
          // What was still under way when the device was forbidden.
          { guard: 'isRefused' },
          {
            actions: {
              type: 'see',
              params: ({ event }) => ({ phase: event.phase, user: event.phase === 'denied' ? event.user : null }),
            },
          },
        ],
      },
    },
    stopped: { type: 'final', entry: 'forget', output: stopped },
    failed: { type: 'final', output: crashed('adb-bridge') },
  },
  output: outcomeOf,
});
