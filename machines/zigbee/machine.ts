import type { EventObject } from 'xstate';

import { observed } from '../kit/observed.ts';
import { checking } from '../kit/verdict.ts';
import type { ZigbeeContext, ZigbeeEvent, ZigbeeFact } from './events.ts';
import { afterSample, gatewayVerdict, judgeGateway, nothingObserved } from './judge.ts';

/** Watches the Zigbee gateway's process and judges its health; it starts and stops nothing. */
export const zigbeeMachine = observed<ZigbeeContext, ZigbeeEvent>()<EventObject, ZigbeeFact>({
  id: 'zigbee',
  initial: () => ({ gateway: null, facts: nothingObserved, state: 'unchecked', verdict: checking }),
  take: {
    'zigbee.sampled': ({ facts: before }, { gateway, sample, at }) => {
      const facts = afterSample(before, sample, at);
      const state = judgeGateway(facts);
      return { gateway, facts, state, verdict: gatewayVerdict(state, facts, gateway) };
    },
    'zigbee.missing': (_, { verdict }) => ({ facts: nothingObserved, state: 'unchecked', verdict }),
  },
  failed: 'zigbee-driver',
});
