import { assign, emit, sendTo, setup } from 'xstate';
import { crashed, outcomeOf, stopped } from '../kit/outcome.ts';
import type { ReplyEvent, WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import type { CommitOutcome, DocumentCommand, DocumentFact, ReadOutcome, StoreContext, StoreEvent } from './events.ts';
import { lossOf } from './loss.ts';

type Loaded = Extract<DocumentFact, { type: 'document.loaded' }>;
type Written = Extract<DocumentFact, { type: 'document.written' }>;

/** Owner of the one durable document: it orders reads and commits and says what became of them. */
export const storeMachine = setup({
  types: {
    context: {} as StoreContext,
    events: {} as StoreEvent | DocumentFact,
    input: {} as { readonly folder: string },
    output: {} as WorkerOutcome,
    emitted: {} as ReplyEvent<CommitOutcome | ReadOutcome>,
  },
  actors: { document: placeholder<DocumentCommand, { readonly folder: string }, DocumentFact>() },
  delays: {
    /** How long a write that is under way may hold up the stop: the whole agent stops within five seconds. */
    closingBound: 800,
  },
  actions: {
    rememberLoad: assign((_, fact: Loaded) => {
      const reason = lossOf(fact.from, fact.trouble);
      return {
        loadedFrom: fact.from,
        documentBytes: fact.bytes,
        loss: reason === null ? null : { reason, at: fact.at },
      };
    }),
    rememberWrite: assign(({ context }, fact: Written) =>
      fact.outcome.ok
        ? { commits: context.commits + 1, documentBytes: fact.bytes, lastFailure: null }
        : { lastFailure: { reason: fact.outcome.reason, at: fact.at } },
    ),
    passRead: sendTo('document', (_, read: { readonly requestId: string; readonly section: string }) => ({
      type: 'document.read',
      ...read,
    })),
    passWrite: sendTo(
      'document',
      (_, write: { readonly requestId: string; readonly sections: Readonly<Record<string, unknown>> }) => ({
        type: 'document.write',
        ...write,
      }),
    ),
    close: sendTo('document', { type: 'document.close' }),
    reply: emit((_, answer: { readonly requestId: string; readonly outcome: CommitOutcome | ReadOutcome }) => ({
      type: 'reply' as const,
      ...answer,
    })),
  },
}).createMachine({
  id: 'store',
  context: ({ input }) => ({
    loadedFrom: null,
    loss: null,
    commits: 0,
    lastFailure: null,
    documentBytes: -1,
    folder: input.folder,
  }),
  invoke: { id: 'document', src: 'document', input: ({ context }) => ({ folder: context.folder }), onError: '.failed' },
  initial: 'loading',
  on: {
    // Also while loading: the driver answers in order, so these wait for the document there.
    'store.read': {
      actions: { type: 'passRead', params: ({ event }) => ({ requestId: event.requestId, section: event.section }) },
    },
    'store.commit': {
      actions: {
        type: 'passWrite',
        params: ({ event }) => ({ requestId: event.requestId, sections: { [event.section]: event.value } }),
      },
    },
    'store.commit-all': {
      actions: { type: 'passWrite', params: ({ event }) => ({ requestId: event.requestId, sections: event.sections }) },
    },
    'document.answered': {
      actions: { type: 'reply', params: ({ event }) => ({ requestId: event.requestId, outcome: event.outcome }) },
    },
    'document.written': {
      actions: [
        { type: 'rememberWrite', params: ({ event }) => event },
        { type: 'reply', params: ({ event }) => ({ requestId: event.requestId, outcome: event.outcome }) },
      ],
    },
    'store.stop': '.stopping',
  },
  states: {
    loading: {
      on: { 'document.loaded': { target: 'ready', actions: { type: 'rememberLoad', params: ({ event }) => event } } },
    },
    ready: {},
    stopping: {
      entry: 'close',
      after: { closingBound: 'stopped' },
      on: {
        'document.closed': 'stopped',
        'store.stop': {},
        // The document is closing: what comes now is refused rather than half done.
        'store.commit': {
          actions: {
            type: 'reply',
            params: ({ event }) => ({ requestId: event.requestId, outcome: { ok: false, reason: 'unknown' } }),
          },
        },
        'store.commit-all': {
          actions: {
            type: 'reply',
            params: ({ event }) => ({ requestId: event.requestId, outcome: { ok: false, reason: 'unknown' } }),
          },
        },
      },
    },
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed('store-driver') },
  },
  output: outcomeOf,
});
