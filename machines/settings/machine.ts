import { assign, emit, sendTo, setup } from 'xstate';
import { crashed, outcomeOf, stopped } from '../kit/outcome.ts';
import type { ReplyEvent, WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { withEvent } from '../kit/with-event.ts';
import type {
  AssignOutcome,
  MergeOutcome,
  ProvisionOutcome,
  SettingsContext,
  SettingsEvent,
  WriterCommand,
  WriterFact,
} from './events.ts';
import { defaultConfiguration } from './merge.ts';
import { publicFacts } from './stored.ts';

type EventOf<T extends SettingsEvent['type']> = Extract<SettingsEvent, { readonly type: T }>;

/** Facts before the store was read: the defaults, revision 0. */
const unread: SettingsContext = {
  ...publicFacts({ configuration: defaultConfiguration, revision: 1, dropped: [] }),
  revision: 0,
};

/** The one writer of the configuration. Secrets never enter its context: its writer alone sees them. */
export const settingsMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as SettingsContext,
    events: {} as SettingsEvent | WriterFact,
    output: {} as WorkerOutcome,
    emitted: {} as ReplyEvent<MergeOutcome | ProvisionOutcome | AssignOutcome>,
  },
  actors: { writer: placeholder<WriterCommand, undefined, WriterFact>() },
  delays: {
    /** Until the store is asked again when it did not answer. */
    reloadPause: 1000,
    /** How long a save that is under way may hold up the stop; its write goes on in the store, which stops later. */
    closingBound: 250,
  },
  actions: {
    load: sendTo('writer', { type: 'writer.load' }),
    merge: sendTo('writer', (_, { requestId, patch, own, from }: EventOf<'settings.merge'>) => ({
      type: 'writer.merge',
      requestId,
      patch,
      own: own ?? null,
      from: from ?? null,
    })),
    assign: sendTo('writer', (_, request: EventOf<'settings.assign'>) => ({
      ...request,
      type: 'writer.assign' as const,
    })),
    provision: sendTo('writer', (_, { requestId, values }: EventOf<'settings.provision'>) => ({
      type: 'writer.provision',
      requestId,
      values,
    })),
    close: sendTo('writer', { type: 'writer.close' }),
    // Null where the store did not answer: what is in force stays.
    accept: assign((_, { facts }: { readonly facts: SettingsContext | null }) => facts ?? {}),
    reply: emit((_, { requestId, outcome }: Extract<WriterFact, { readonly type: 'writer.merged' }>) => ({
      type: 'reply' as const,
      requestId,
      outcome,
    })),
    refuse: emit((_, { requestId }: EventOf<'settings.merge' | 'settings.assign' | 'settings.provision'>) => ({
      type: 'reply' as const,
      requestId,
      outcome: { status: 'commit-failed' as const, reason: 'stopping' },
    })),
  },
}).createMachine({
  id: 'settings',
  context: unread,
  invoke: { id: 'writer', src: 'writer', onError: '.failed' },
  initial: 'loading',
  on: {
    // Also while loading: the writer serves in order and reads the store itself.
    'settings.merge': { actions: withEvent('merge') },
    'settings.assign': { actions: withEvent('assign') },
    'settings.provision': { actions: withEvent('provision') },
    'writer.merged': { actions: [withEvent('accept'), withEvent('reply')] },
    'settings.stop': '.stopping',
  },
  states: {
    loading: {
      entry: 'load',
      on: { 'writer.loaded': { target: 'ready', actions: withEvent('accept') }, 'writer.unread': 'waiting' },
    },
    waiting: { after: { reloadPause: 'loading' } },
    ready: {},
    stopping: {
      entry: 'close',
      after: { closingBound: 'stopped' },
      on: {
        'writer.closed': 'stopped',
        'settings.stop': {},
        'settings.merge': { actions: withEvent('refuse') },
        'settings.assign': { actions: withEvent('refuse') },
        'settings.provision': { actions: withEvent('refuse') },
      },
    },
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed('settings-writer') },
  },
  output: outcomeOf,
});
