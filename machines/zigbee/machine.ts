import { assign, setup } from 'xstate';

import { crashed, outcomeOf, stopped, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { checking } from '../kit/verdict.ts';
import type { ZigbeeContext, ZigbeeDriverCommand, ZigbeeEvent, ZigbeeFact } from './events.ts';
import { afterSample, gatewayVerdict, judgeGateway, nothingSeen } from './judge.ts';

/** Watches the Zigbee gateway's process and says how it is; it starts and stops nothing. */
export const zigbeeMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as ZigbeeContext,
    events: {} as ZigbeeEvent,
    output: {} as WorkerOutcome,
  },
  actors: { probe: placeholder<ZigbeeDriverCommand, undefined, ZigbeeFact>() },
  actions: {
    note: assign(({ context, event }) => {
      if (event.type !== 'zigbee.sampled') return {};
      const facts = afterSample(context.facts, event.sample, event.at);
      const state = judgeGateway(facts);
      return { gateway: event.gateway, facts, state, verdict: gatewayVerdict(state, facts, event.gateway) };
    }),
    miss: assign(({ event }) =>
      event.type === 'zigbee.missing'
        ? { facts: nothingSeen, state: 'unchecked' as const, verdict: event.verdict }
        : {},
    ),
  },
}).createMachine({
  id: 'zigbee',
  context: { gateway: null, facts: nothingSeen, state: 'unchecked', verdict: checking },
  initial: 'watching',
  states: {
    watching: {
      invoke: { id: 'probe', src: 'probe', onError: 'failed' },
      on: { 'zigbee.sampled': { actions: 'note' }, 'zigbee.missing': { actions: 'miss' }, 'zigbee.stop': 'stopped' },
    },
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed('zigbee-driver') },
  },
  output: outcomeOf,
});
