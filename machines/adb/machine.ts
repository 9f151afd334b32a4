import { assign, emit, enqueueActions, sendTo, type EventObject } from 'xstate';

import { crashed, outcomeOf, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import { withEvent } from '../kit/with-event.ts';
import { judgeAdb, parseAdbDevice } from './decide.ts';
import type { AdbContext, AdbDriverCommand, AdbEvent, AdbFact, AdbOutcome, AdbReport, DeviceFact } from './events.ts';

type Asked = Extract<AdbEvent, { type: 'adb.ask' }>;
type Done = Extract<AdbEvent, { type: 'adb.done' }>;

const answerOf = (requestId: string, outcome: AdbOutcome) => ({ type: 'reply', requestId, outcome }) as const;

/** The bridge to an Android panel: selects the device, judges its state, and passes requests on to it. */
export const adbMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as AdbContext,
    events: {} as AdbEvent,
    emitted: {} as { readonly type: 'reply'; readonly requestId: string; readonly outcome: AdbOutcome },
    output: {} as WorkerOutcome,
  },
  actors: {
    bridge: placeholder<AdbDriverCommand, undefined, AdbFact>(),
    /** Follows the setting that names the device. */
    device: placeholder<EventObject, undefined, DeviceFact>(),
  },
  actions: {
    choose: enqueueActions(({ enqueue }, { device }: DeviceFact) => {
      const target = parseAdbDevice(device);
      enqueue.sendTo('bridge', { type: 'adb.use', target } satisfies AdbDriverCommand);
      enqueue.assign({ network: target?.kind === 'network', verdict: judgeAdb({ phase: 'waiting' }) });
    }),
    judge: assign((_, report: AdbReport) => ({ verdict: judgeAdb(report) })),
    press: sendTo(
      'bridge',
      (_, { key }: Extract<AdbEvent, { type: 'adb.press' }>) =>
        ({ type: 'adb.do', requestId: '', command: { do: 'key', key } }) satisfies AdbDriverCommand,
    ),
    hand: sendTo(
      'bridge',
      (_, { requestId, command }: Asked) => ({ type: 'adb.do', requestId, command }) satisfies AdbDriverCommand,
    ),
    answer: emit((_, { requestId, outcome }: Done) => answerOf(requestId, outcome)),
    answerOffline: emit((_, { requestId }: Asked) => answerOf(requestId, { ok: false, reason: 'offline' })),
  },
  guards: { isOnline: (_, { phase }: AdbReport) => phase === 'online' },
}).createMachine({
  id: 'adb',
  context: { network: false, verdict: judgeAdb(null) },
  invoke: [
    { id: 'bridge', src: 'bridge', onError: '.failed' },
    { id: 'device', src: 'device', onError: '.failed' },
  ],
  initial: 'away',
  on: {
    'adb.chosen': { target: '.away', actions: withEvent('choose') },
    'adb.observed': [
      { guard: withEvent('isOnline'), target: '.online', actions: withEvent('judge') },
      { target: '.away', actions: withEvent('judge') },
    ],
    'adb.press': { actions: withEvent('press') },
    'adb.done': { actions: withEvent('answer') },
  },
  states: {
    /** No device is selected, or it does not answer: requests are answered at once. */
    away: { on: { 'adb.ask': { actions: withEvent('answerOffline') } } },
    online: { on: { 'adb.ask': { actions: withEvent('hand') } } },
    failed: { type: 'final', output: crashed('adb-bridge') },
  },
  output: outcomeOf,
});
