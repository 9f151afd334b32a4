import { assign, emit, enqueueActions, sendTo, setup } from 'xstate';
import { crashed, outcomeOf, stopped, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import type {
  Observed,
  ProvisioningContext,
  ProvisioningDriverCommand,
  ProvisioningEvent,
  ProvisioningFact,
  ProvisioningWish,
} from './events.ts';

/** Callers that wait for one look; more are told to come again by their own time limit. */
const MOST_WAITING = 16;

/** What the machine remembers. */
export interface ProvisioningMachineContext extends ProvisioningContext {
  /** Request ids of those who wait for the look that is under way. */
  readonly waiting: readonly string[];
}

/** Looks at the machine when somebody asks, and answers all who wait with the one look. */
export const provisioningMachine = setup({
  types: {
    context: {} as ProvisioningMachineContext,
    events: {} as ProvisioningEvent,
    input: {} as { readonly wishes: readonly ProvisioningWish[] },
    emitted: {} as { readonly type: 'reply'; readonly requestId: string; readonly outcome: Observed },
    output: {} as WorkerOutcome,
  },
  actors: { eyes: placeholder<ProvisioningDriverCommand, undefined, ProvisioningFact>() },
  actions: {
    queue: assign(({ context }, { requestId }: { readonly requestId: string }) => ({
      waiting: [...context.waiting, requestId].slice(-MOST_WAITING),
    })),
    look: sendTo('eyes', { type: 'provisioning.observe' }),
    answer: enqueueActions(({ context, enqueue }, { observed }: { readonly observed: Observed }) => {
      for (const requestId of context.waiting) enqueue(emit({ type: 'reply', requestId, outcome: observed }));
      enqueue.assign({ observed, waiting: [] });
    }),
  },
}).createMachine({
  id: 'provisioning',
  context: ({ input }) => ({ wishes: input.wishes, observed: null, waiting: [] }),
  invoke: { id: 'eyes', src: 'eyes', onError: '.failed' },
  initial: 'resting',
  on: { 'provisioning.stop': '.stopped' },
  states: {
    resting: {
      on: {
        'provisioning.look': {
          target: 'looking',
          actions: [{ type: 'queue', params: ({ event }) => ({ requestId: event.requestId }) }, 'look'],
        },
      },
    },
    looking: {
      on: {
        'provisioning.look': { actions: { type: 'queue', params: ({ event }) => ({ requestId: event.requestId }) } },
        'provisioning.observed': {
          target: 'resting',
          actions: { type: 'answer', params: ({ event }) => ({ observed: event.observed }) },
        },
      },
    },
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed('provisioning-driver') },
  },
  output: outcomeOf,
});
