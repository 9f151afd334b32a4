import { assign, sendTo } from 'xstate';

import { crashed, outcomeOf, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import type { Milliseconds } from '../kit/units.ts';
import { checking } from '../kit/verdict.ts';
import { withEvent } from '../kit/with-event.ts';
import { begun, cycleGuards, firstCycle, noWrite, writeCycle, type WriteCycle } from '../kit/write-cycle.ts';
import { stateToWrite } from './decide.ts';
import type {
  RelayContext,
  RelayDriverCommand,
  RelayEvent,
  RelayFact,
  RelayStoreCommand,
  RelayStoreFact,
} from './events.ts';

/** Longest wait for the answer to one command; the kernel switches and reads a relay within milliseconds. */
export const ANSWER_BOUND_MS: Milliseconds = 2000;

/** Input of a relay's machine. */
export interface RelayInput {
  /** True if this agent has run the relay before. */
  readonly again: boolean;
  /** True if the agent only observes, and so writes and keeps nothing. */
  readonly readOnly: boolean;
}

/** Full context of a relay's machine. */
export interface RelayMachineContext extends RelayContext, WriteCycle<boolean> {
  /** True once the device was found: the profile's rule for the start applies once. */
  readonly again: boolean;
  /** `pending` before the store has answered, otherwise the stored state, null for none. */
  readonly recalled: boolean | null | 'pending';
  readonly readOnly: boolean;
}

type Event<T extends RelayEvent['type']> = Extract<RelayEvent, { readonly type: T }>;

/** The state due for a relay that is present; null for none. */
function dueFor(context: RelayMachineContext): boolean | null {
  const due = context.readOnly ? null : stateToWrite(context);
  return due === 'wait' ? null : due;
}

/** One relay: first the profile's rule for the start, then what is requested; shown as it was read back. */
export const relayMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as RelayMachineContext,
    events: {} as RelayEvent,
    input: {} as RelayInput,
    output: {} as WorkerOutcome,
  },
  actors: {
    relay: placeholder<RelayDriverCommand, undefined, RelayFact>(),
    store: placeholder<RelayStoreCommand, undefined, RelayStoreFact>(),
  },
  delays: { answerBound: ANSWER_BOUND_MS },
  guards: {
    ...cycleGuards,
    isHere: (_, { found }: Event<'relay.found'>) => found,
    hasDue: ({ context }, { found, restore }: Event<'relay.found'>) =>
      found && dueFor({ ...context, restore }) !== null,
    // A stored state that arrives after a request is of no use.
    recallsDue: ({ context }, { closed }: Event<'relay.recalled'>) =>
      context.wanted === null && dueFor({ ...context, recalled: closed }) !== null,
    // A state observed before the store's answer may be the device's own at power-on.
    isChange: ({ context }, { closed }: Event<'relay.observed'>) =>
      !context.readOnly && context.recalled !== 'pending' && context.recalled !== closed,
  },
  actions: {
    find: assign((_, { verdict, restore }: Event<'relay.found'>) => ({ verdict, restore, again: true })),
    miss: assign((_, { verdict }: Event<'relay.found'>) => ({ ...noWrite, verdict, closed: null })),
    wantFound: assign(({ context }, { restore }: Event<'relay.found'>) => {
      const due = dueFor({ ...context, restore });
      return { wanted: due, next: due, writing: null, fault: null };
    }),
    wantRecalled: assign(({ context }, { closed }: Event<'relay.recalled'>) => {
      const due = dueFor({ ...context, recalled: closed });
      return { wanted: due, next: due, fault: null };
    }),
    want: assign((_, { closed }: Event<'relay.set'>) => ({ wanted: closed, next: closed, fault: null })),
    begin: assign(({ context }) => begun(context, context.next === true)),
    write: sendTo('relay', ({ context }) => ({
      type: 'relay.switch' as const,
      generation: context.generation,
      closed: context.writing === true,
    })),
    recall: assign((_, { closed }: Event<'relay.recalled'>) => ({ recalled: closed })),
    see: assign(({ context }, { closed }: Event<'relay.observed'>) => ({
      closed,
      wanted: context.writing !== null || context.wanted === closed ? context.wanted : null,
    })),
    keep: sendTo('store', (_, { closed }: Event<'relay.observed'>) => ({ type: 'relay.keep' as const, closed })),
    noteKept: assign((_, { closed }: Event<'relay.observed'>) => ({ recalled: closed })),
    settle: assign({ fault: null, writing: null }),
    // A newer request is still to be tried.
    refuse: assign(({ context }, { code }: Event<'relay.refused'>) => ({
      writing: null,
      ...(context.next === null ? { wanted: null, fault: code } : {}),
    })),
    noteSilence: assign({ fault: 'no-answer', writing: null }),
    refuseAbsent: assign({ fault: 'gone' }),
  },
}).createMachine({
  id: 'relay',
  options: { maxIterations: 10 },
  context: ({ input }) => ({
    ...firstCycle,
    verdict: checking,
    closed: null,
    wanted: null,
    restore: 'keep',
    fault: null,
    again: input.again,
    readOnly: input.readOnly,
    recalled: 'pending',
  }),
  invoke: [
    { id: 'relay', src: 'relay', onError: '.failed' },
    { id: 'store', src: 'store', onError: '.failed' },
  ],
  output: outcomeOf,
  initial: 'away',
  states: {
    away: {
      on: {
        'relay.found': [
          { guard: withEvent('hasDue'), target: 'here', actions: [withEvent('wantFound'), withEvent('find')] },
          { guard: withEvent('isHere'), target: 'here', actions: withEvent('find') },
          { actions: withEvent('miss') },
        ],
        'relay.recalled': { actions: withEvent('recall') },
        // A request to a lost device is refused now, rather than carried out later without notice.
        'relay.set': { actions: 'refuseAbsent' },
      },
    },
    here: {
      ...writeCycle<RelayEvent>()('relay.written', 'relay.refused'),
      on: {
        // Found again without having been lost: it was disconnected for a moment, and may have any state.
        'relay.found': [
          { guard: withEvent('hasDue'), target: '.idle', actions: [withEvent('wantFound'), withEvent('find')] },
          { guard: withEvent('isHere'), actions: withEvent('find') },
          { target: 'away', actions: withEvent('miss') },
        ],
        'relay.recalled': [
          { guard: withEvent('recallsDue'), actions: [withEvent('wantRecalled'), withEvent('recall')] },
          { actions: withEvent('recall') },
        ],
        'relay.set': { actions: withEvent('want') },
        'relay.observed': [
          { guard: withEvent('isChange'), actions: [withEvent('see'), withEvent('keep'), withEvent('noteKept')] },
          { actions: withEvent('see') },
        ],
      },
    },
    failed: { type: 'final', output: crashed({ relay: 'relay-driver', store: 'relay-store' }) },
  },
});
