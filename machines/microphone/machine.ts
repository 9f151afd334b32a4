import { assign, type EventObject, sendTo } from 'xstate';

import { crashed, outcomeOf, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import { withEvent } from '../kit/with-event.ts';
import type {
  MicrophoneAnswer,
  MicrophoneContext,
  MicrophoneDriverCommand,
  MicrophoneEvent,
  MicrophoneFact,
  MicrophoneOrderCommand,
  MicrophonePermission,
  MicrophonePlaceFact,
  MicrophoneSettingsFact,
} from './events.ts';

export interface MicrophoneInput {
  /** True if the profile says that there is no microphone. */
  readonly suppressed: boolean;
}

/** A person is only asked for what this machine may have. */
const isHere = ({ scan }: MicrophoneContext): boolean =>
  scan === null || scan.found === 'devices' || scan.detail === 'undetermined';

const allow = { guard: withEvent('isAllowed'), target: 'allowed', actions: withEvent('takeSettings') } as const;
const ask = { guard: withEvent('turnsOn'), target: 'asking', actions: withEvent('takeSettings') } as const;
const forget = { guard: withEvent('isOff'), target: 'needed', actions: withEvent('takeSettings') } as const;
const keep = { actions: withEvent('takeSettings') } as const;

/** While it is not allowed: turning voice on asks once, and so does the owner. */
const closed = {
  'microphone.settings': [allow, ask, forget, keep],
  'microphone.ask': { guard: 'mayAsk', target: 'asking' },
} as const;

/**
 * Says whether this panel has a microphone, by scanning without opening one, and whether a person has allowed it. It
 * asks at the panel when voice is turned on, and never by itself after that.
 */
export const microphoneMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as MicrophoneContext,
    events: {} as MicrophoneEvent,
    input: {} as MicrophoneInput,
    output: {} as WorkerOutcome,
  },
  actors: {
    source: placeholder<MicrophoneDriverCommand, undefined, MicrophoneFact>(),
    follower: placeholder<EventObject, undefined, MicrophoneSettingsFact>(),
    orders: placeholder<MicrophoneOrderCommand, undefined, never>(),
    question: placeholder<EventObject, undefined, MicrophoneAnswer>(),
    places: placeholder<EventObject, undefined, MicrophonePlaceFact>(),
  },
  guards: {
    isAllowed: (_, { isAllowed }: MicrophoneSettingsFact) => isAllowed,
    isOff: (_, { isVoiceOn }: MicrophoneSettingsFact) => !isVoiceOn,
    turnsOn: ({ context }, { isVoiceOn }: MicrophoneSettingsFact) => isVoiceOn && !context.isVoiceOn && isHere(context),
    mayAsk: ({ context }) => context.isVoiceOn && isHere(context),
    isApproved: (_, { answer }: MicrophoneAnswer) => answer === 'approved',
    isNoPlace: (_, { answer }: MicrophoneAnswer) => answer === 'no-place',
  },
  actions: {
    takeScan: assign((_, { scan, user }: MicrophoneFact) => ({ scan, user })),
    takeSettings: assign((_, { isVoiceOn, earFailure }: MicrophoneSettingsFact) => ({ isVoiceOn, earFailure })),
    be: assign((_, permission: MicrophonePermission) => ({ permission })),
    enumerate: sendTo('source', { type: 'microphone.enumerate' }),
    lookForOrders: sendTo('orders', { type: 'orders.look' }),
  },
}).createMachine({
  id: 'microphone',
  context: ({ input: { suppressed } }) => ({
    scan: suppressed ? { found: 'none', detail: 'suppressed_by_profile' } : null,
    user: null,
    isVoiceOn: false,
    permission: 'needed',
    earFailure: null,
  }),
  invoke: [
    { id: 'source', src: 'source', onError: '.failed' },
    { id: 'follower', src: 'follower', onError: '.failed' },
    { id: 'orders', src: 'orders', onError: '.failed' },
  ],
  initial: 'unread',
  on: {
    'microphone.enumerated': { actions: [withEvent('takeScan'), 'lookForOrders'] },
    'microphone.probe': { actions: ['enumerate', 'lookForOrders'] },
  },
  states: {
    /** The settings were not read yet; voice that was on before the start asks nothing. */
    unread: {
      on: { 'microphone.settings': [allow, { target: 'needed', actions: withEvent('takeSettings') }] },
    },
    needed: { entry: { type: 'be', params: 'needed' }, on: closed },
    asking: {
      entry: { type: 'be', params: 'asking' },
      invoke: { id: 'question', src: 'question', onError: '#microphone.failed' },
      on: {
        'microphone.settings': [allow, forget, keep],
        'microphone.answered': [
          // What is stored allows it, and was reported before this; here it was turned off again.
          { guard: withEvent('isApproved'), target: 'needed' },
          { guard: withEvent('isNoPlace'), target: 'placeless' },
          { target: 'denied' },
        ],
      },
      initial: 'first',
      states: {
        first: {},
        /** A place had appeared; if it is gone already, the owner has to ask. */
        again: {
          on: { 'microphone.answered': { guard: withEvent('isNoPlace'), target: '#microphone.placeless.given-up' } },
        },
      },
    },
    denied: { entry: { type: 'be', params: 'denied' }, on: closed },
    placeless: {
      entry: { type: 'be', params: 'no-place' },
      on: closed,
      initial: 'waiting',
      states: {
        waiting: {
          invoke: { id: 'places', src: 'places', onError: '#microphone.failed' },
          on: { 'microphone.place-appeared': { guard: 'mayAsk', target: '#microphone.asking.again' } },
        },
        'given-up': {},
      },
    },
    allowed: {
      entry: { type: 'be', params: 'allowed' },
      on: {
        'microphone.settings': [
          { guard: withEvent('isAllowed'), actions: withEvent('takeSettings') },
          { target: 'needed', actions: withEvent('takeSettings') },
        ],
      },
    },
    failed: {
      type: 'final',
      output: crashed({
        source: 'microphone-driver',
        follower: 'microphone-follower',
        orders: 'microphone-orders',
        question: 'microphone-question',
        places: 'microphone-places',
      }),
    },
  },
  output: outcomeOf,
});
