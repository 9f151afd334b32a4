import { assign, emit, enqueueActions, sendTo } from 'xstate';
import { crashed, outcomeOf, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import { withEvent } from '../kit/with-event.ts';
import type {
  Observed,
  ProvisioningContext,
  ProvisioningDriverCommand,
  ProvisioningEvent,
  ProvisioningFact,
  Requirement,
} from './events.ts';

/** Most requests that wait for one scan; beyond that the oldest run into their own time limit. */
const MOST_WAITING = 16;

export interface ProvisioningMachineContext extends ProvisioningContext {
  /** Ids of the requests that wait for the current scan. */
  readonly waiting: readonly string[];
}

/** Scans the machine on request; requests during a scan share its result. */
export const provisioningMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as ProvisioningMachineContext,
    events: {} as ProvisioningEvent,
    input: {} as { readonly requirements: readonly Requirement[] },
    emitted: {} as { readonly type: 'reply'; readonly requestId: string; readonly outcome: Observed },
    output: {} as WorkerOutcome,
  },
  actors: { observer: placeholder<ProvisioningDriverCommand, undefined, ProvisioningFact>() },
  actions: {
    queue: assign(({ context }, { requestId }: Extract<ProvisioningEvent, { type: 'provisioning.scan' }>) => ({
      waiting: [...context.waiting, requestId].slice(-MOST_WAITING),
    })),
    scan: sendTo('observer', { type: 'provisioning.observe' }),
    answer: enqueueActions(({ context, enqueue }, { observed }: ProvisioningFact) => {
      for (const requestId of context.waiting) enqueue(emit({ type: 'reply', requestId, outcome: observed }));
      enqueue.assign({ observed, waiting: [] });
    }),
  },
}).createMachine({
  id: 'provisioning',
  context: ({ input }) => ({ requirements: input.requirements, observed: null, waiting: [] }),
  invoke: { id: 'observer', src: 'observer', onError: '.failed' },
  initial: 'resting',
  states: {
    resting: {
      on: {
        'provisioning.scan': {
          target: 'scanning',
          actions: [withEvent('queue'), 'scan'],
        },
      },
    },
    scanning: {
      on: {
        'provisioning.scan': { actions: withEvent('queue') },
        'provisioning.observed': {
          target: 'resting',
          actions: withEvent('answer'),
        },
      },
    },
    failed: { type: 'final', output: crashed('provisioning-driver') },
  },
  output: outcomeOf,
});
