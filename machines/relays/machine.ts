import { assign, sendTo, setup } from 'xstate';

import { crashed, outcomeOf, stopped, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { checking } from '../kit/verdict.ts';
import { stateToWrite } from './decide.ts';
import type {
  RelayContext,
  RelayDriverCommand,
  RelayEvent,
  RelayFact,
  RelayMemoryCommand,
  RelayMemoryFact,
} from './events.ts';

/** What a relay's machine is started with. */
export interface RelayInput {
  /** Whether this agent has run the relay before. */
  readonly again: boolean;
  /** Whether this agent only looks at the machine, so that it writes and keeps nothing. */
  readonly looking: boolean;
}

/** Everything a relay's machine remembers. */
export interface RelayMachineContext extends RelayContext {
  /** True once the device was found: what the profile says about the start counts once. */
  readonly again: boolean;
  /** `pending` before the memory has answered, else the state that was kept, null for none. */
  readonly recalled: boolean | null | 'pending';
  readonly looking: boolean;
}

/** What is to be written once the event is taken into account; null for nothing. */
const dueAfter = (context: RelayMachineContext, event: RelayEvent): boolean | null => {
  if (context.looking) return null;
  const recalled = event.type === 'relay.recalled' ? event.closed : context.recalled;
  const restore = event.type === 'relay.found' ? event.restore : context.restore;
  const due = stateToWrite({ ...context, recalled, restore });
  return due === 'wait' ? null : due;
};

/** One relay: what the profile says about the start, then what it is told; shown as it was read back. */
export const relayMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as RelayMachineContext,
    events: {} as RelayEvent,
    input: {} as RelayInput,
    output: {} as WorkerOutcome,
  },
  actors: {
    contact: placeholder<RelayDriverCommand, undefined, RelayFact>(),
    memory: placeholder<RelayMemoryCommand, undefined, RelayMemoryFact>(),
  },
  guards: {
    isHere: ({ event }) => event.type === 'relay.found' && event.found,
    hasDue: ({ context, event }) => event.type === 'relay.found' && event.found && dueAfter(context, event) !== null,
    // An answer that comes after the owner's own wish is of no use.
    recallsDue: ({ context, event }) => context.wanted === null && dueAfter(context, event) !== null,
    // A state that came before the memory's answer may be the device's own at power-on.
    isNews: ({ context, event }) =>
      event.type === 'relay.seen' &&
      !context.looking &&
      context.recalled !== 'pending' &&
      context.recalled !== event.closed,
  },
  actions: {
    find: assign(({ event }) =>
      event.type === 'relay.found' ? { verdict: event.verdict, restore: event.restore, here: true, again: true } : {},
    ),
    miss: assign(({ event }) =>
      event.type === 'relay.found' ? { verdict: event.verdict, here: false, closed: null } : {},
    ),
    wantDue: assign(({ context, event }) => ({ wanted: dueAfter(context, event), fault: null })),
    want: assign(({ event }) => (event.type === 'relay.set' ? { wanted: event.closed, fault: null } : {})),
    write: sendTo('contact', ({ context }) => ({ type: 'relay.switch' as const, closed: context.wanted === true })),
    recall: assign(({ event }) => (event.type === 'relay.recalled' ? { recalled: event.closed } : {})),
    see: assign(({ context, event }) =>
      event.type === 'relay.seen'
        ? { closed: event.closed, wanted: context.wanted === event.closed ? context.wanted : null }
        : {},
    ),
    keep: sendTo('memory', ({ event }) => ({
      type: 'relay.keep' as const,
      closed: event.type === 'relay.seen' && event.closed,
    })),
    noteKept: assign(({ event }) => (event.type === 'relay.seen' ? { recalled: event.closed } : {})),
    refuse: assign(({ event }) => (event.type === 'relay.refused' ? { fault: event.code, wanted: null } : {})),
    refuseAbsent: assign({ fault: 'gone' }),
  },
}).createMachine({
  id: 'relay',
  context: ({ input }) => ({
    verdict: checking,
    here: false,
    closed: null,
    wanted: null,
    restore: 'keep',
    fault: null,
    again: input.again,
    looking: input.looking,
    recalled: 'pending',
  }),
  invoke: [
    { id: 'contact', src: 'contact', onError: '.failed' },
    { id: 'memory', src: 'memory', onError: '.failed' },
  ],
  output: outcomeOf,
  initial: 'away',
  on: { 'relay.stop': '.stopped' },
  states: {
    away: {
      on: {
        'relay.found': [
          { guard: 'hasDue', target: 'here', actions: ['wantDue', 'find', 'write'] },
          { guard: 'isHere', target: 'here', actions: 'find' },
          { actions: 'miss' },
        ],
        'relay.recalled': { actions: 'recall' },
        // Nothing is switched later without a word: what was asked of a lost device is refused now.
        'relay.set': { actions: 'refuseAbsent' },
      },
    },
    here: {
      on: {
        // Found anew without having been missed: it was out for a moment, and stands as it likes.
        'relay.found': [
          { guard: 'hasDue', actions: ['wantDue', 'find', 'write'] },
          { guard: 'isHere', actions: 'find' },
          { target: 'away', actions: 'miss' },
        ],
        'relay.recalled': [{ guard: 'recallsDue', actions: ['wantDue', 'recall', 'write'] }, { actions: 'recall' }],
        'relay.set': { actions: ['want', 'write'] },
        'relay.seen': [{ guard: 'isNews', actions: ['see', 'keep', 'noteKept'] }, { actions: 'see' }],
        'relay.refused': { actions: 'refuse' },
      },
    },
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed({ contact: 'relay-driver', memory: 'relay-memory' }) },
  },
});
