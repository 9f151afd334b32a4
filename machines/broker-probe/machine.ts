import { assign, emit, setup } from 'xstate';

import { crashed, outcomeOf, type ReplyEvent, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { withEvent } from '../kit/with-event.ts';
import type {
  BrokerProbeContext,
  BrokerProbeEvent,
  ProbeAnswer,
  ProbeFact,
  ProbeRequest,
  ProbeTarget,
} from './events.ts';

/** Facts of the probe with where it goes, which is forgotten when it is over. */
export interface BrokerProbeFacts extends BrokerProbeContext {
  readonly target: ProbeTarget;
}

const nothing: BrokerProbeFacts = {
  requestId: null,
  target: { host: '', port: 0, tls: false, addressFamily: 'Automatic' },
};

const replyTo = ({ requestId }: BrokerProbeFacts, outcome: ProbeAnswer): ReplyEvent<ProbeAnswer> => ({
  type: 'reply',
  requestId: requestId ?? '',
  outcome,
});

/** Finds out whether anything answers at a broker's address, one at a time; one run of `connection` is one probe. */
export const brokerProbeMachine = setup({
  // Type carriers of the library's own design; their values are never read.
  types: {
    context: {} as BrokerProbeFacts,
    events: {} as BrokerProbeEvent,
    emitted: {} as ReplyEvent<ProbeAnswer>,
    output: {} as WorkerOutcome,
  },
  actors: { connection: placeholder<BrokerProbeEvent, ProbeTarget, ProbeFact>() },
  actions: {
    take: assign((_, { requestId, target }: ProbeRequest) => ({ requestId, target })),
    replace: emit(({ context }) => replyTo(context, { status: 'replaced' })),
    answer: emit(({ context }, { outcome }: ProbeFact) => replyTo(context, outcome)),
    forget: assign(nothing),
  },
}).createMachine({
  id: 'broker-probe',
  context: nothing,
  initial: 'resting',
  states: {
    resting: {
      entry: 'forget',
      on: { 'broker-probe.probe': { target: 'probing', actions: withEvent('take') } },
    },
    probing: {
      invoke: { src: 'connection', id: 'connection', input: ({ context }) => context.target, onError: 'failed' },
      on: {
        'broker-probe.probe': { target: 'probing', reenter: true, actions: ['replace', withEvent('take')] },
        'probe.ended': { target: 'resting', actions: withEvent('answer') },
      },
    },
    failed: { type: 'final', output: crashed('broker-probe-driver') },
  },
  output: outcomeOf,
});
