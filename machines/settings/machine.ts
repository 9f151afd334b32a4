import { assign, emit, sendTo, setup } from 'xstate';
import { crashed, outcomeOf, stopped } from '../kit/outcome.ts';
import type { ReplyEvent, WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import type { MergeOutcome, OwnWrite, SettingsContext, SettingsEvent, WriterCommand, WriterFact } from './events.ts';
import { defaultConfiguration } from './merge.ts';
import { publicFacts } from './stored.ts';

/** Facts before the store was read: the defaults, revision 0. */
const unread: SettingsContext = {
  ...publicFacts({ configuration: defaultConfiguration, revision: 1, dropped: [] }),
  revision: 0,
};

/** The one writer of the configuration. Secrets never enter its context: its writer alone sees them. */
export const settingsMachine = setup({
  types: {
    context: {} as SettingsContext,
    events: {} as SettingsEvent | WriterFact,
    output: {} as WorkerOutcome,
    emitted: {} as ReplyEvent<MergeOutcome>,
  },
  actors: { writer: placeholder<WriterCommand, undefined, WriterFact>() },
  delays: {
    /** Until the store is asked again when it did not answer. */
    anotherLook: 1000,
    /** How long a save that is under way may hold up the stop; its write goes on in the store, which stops later. */
    closingBound: 250,
  },
  actions: {
    load: sendTo('writer', { type: 'writer.load' }),
    merge: sendTo(
      'writer',
      (
        _,
        merge: {
          readonly requestId: string;
          readonly patch: Readonly<Record<string, unknown>>;
          readonly own: OwnWrite | null;
        },
      ) => ({ type: 'writer.merge', ...merge }),
    ),
    close: sendTo('writer', { type: 'writer.close' }),
    believe: assign((_, facts: SettingsContext | null) => facts ?? {}),
    reply: emit((_, answer: { readonly requestId: string; readonly outcome: MergeOutcome }) => ({
      type: 'reply' as const,
      ...answer,
    })),
  },
}).createMachine({
  id: 'settings',
  context: unread,
  invoke: { id: 'writer', src: 'writer', onError: '.failed' },
  initial: 'loading',
  on: {
    // Also while loading: the writer serves in order and reads the store itself.
    'settings.merge': {
      actions: {
        type: 'merge',
        params: ({ event }) => ({ requestId: event.requestId, patch: event.patch, own: event.own ?? null }),
      },
    },
    'writer.merged': {
      actions: [
        { type: 'believe', params: ({ event }) => event.facts },
        { type: 'reply', params: ({ event }) => ({ requestId: event.requestId, outcome: event.outcome }) },
      ],
    },
    'settings.stop': '.stopping',
  },
  states: {
    loading: {
      entry: 'load',
      on: {
        'writer.loaded': { target: 'ready', actions: { type: 'believe', params: ({ event }) => event.facts } },
        'writer.unread': 'waiting',
      },
    },
    waiting: { after: { anotherLook: 'loading' } },
    ready: {},
    stopping: {
      entry: 'close',
      after: { closingBound: 'stopped' },
      on: {
        'writer.closed': 'stopped',
        'settings.stop': {},
        'settings.merge': {
          actions: {
            type: 'reply',
            params: ({ event }) => ({
              requestId: event.requestId,
              outcome: { status: 'commit-failed' as const, reason: 'stopping' },
            }),
          },
        },
      },
    },
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed('settings-writer') },
  },
  output: outcomeOf,
});
