import { assign, emit, sendTo, setup } from 'xstate';
import { crashed, outcomeOf, stopped } from '../kit/outcome.ts';
import type { ReplyEvent, WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { withEvent } from '../kit/with-event.ts';
import type { CommitOutcome, DocumentCommand, DocumentFact, ReadOutcome, StoreContext, StoreEvent } from './events.ts';
import { lossOf } from './loss.ts';

type FactOf<T extends DocumentFact['type']> = Extract<DocumentFact, { readonly type: T }>;
type EventOf<T extends StoreEvent['type']> = Extract<StoreEvent, { readonly type: T }>;

/** Owner of the one durable document: it orders reads and commits and says what became of them. */
export const storeMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
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
    rememberLoad: assign((_, fact: FactOf<'document.loaded'>) => {
      const reason = lossOf(fact.from, fact.trouble);
      return {
        loadedFrom: fact.from,
        documentBytes: fact.bytes,
        loss: reason === null ? null : { reason, at: fact.at },
      };
    }),
    rememberWrite: assign(({ context }, fact: FactOf<'document.written'>) =>
      fact.outcome.ok
        ? { commits: context.commits + 1, documentBytes: fact.bytes, lastFailure: null }
        : { lastFailure: { reason: fact.outcome.reason, at: fact.at } },
    ),
    read: sendTo('document', (_, { requestId, section }: EventOf<'store.read'>) => ({
      type: 'document.read',
      requestId,
      section,
    })),
    write: sendTo('document', (_, { requestId, section, value }: EventOf<'store.commit'>) => ({
      type: 'document.write',
      requestId,
      sections: { [section]: value },
    })),
    writeAll: sendTo('document', (_, { requestId, sections }: EventOf<'store.commit-all'>) => ({
      type: 'document.write',
      requestId,
      sections,
    })),
    close: sendTo('document', { type: 'document.close' }),
    reply: emit((_, { requestId, outcome }: FactOf<'document.answered' | 'document.written'>) => ({
      type: 'reply' as const,
      requestId,
      outcome,
    })),
    refuse: emit((_, { requestId }: EventOf<'store.commit' | 'store.commit-all'>) => ({
      type: 'reply' as const,
      requestId,
      outcome: { ok: false as const, reason: 'unknown' as const },
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
    'store.read': { actions: withEvent('read') },
    'store.commit': { actions: withEvent('write') },
    'store.commit-all': { actions: withEvent('writeAll') },
    'document.answered': { actions: withEvent('reply') },
    'document.written': { actions: [withEvent('rememberWrite'), withEvent('reply')] },
    'store.stop': '.stopping',
  },
  states: {
    loading: { on: { 'document.loaded': { target: 'ready', actions: withEvent('rememberLoad') } } },
    ready: {},
    stopping: {
      entry: 'close',
      after: { closingBound: 'stopped' },
      on: {
        'document.closed': 'stopped',
        'store.stop': {},
        // The document is closing: what comes now is refused rather than half done.
        'store.commit': { actions: withEvent('refuse') },
        'store.commit-all': { actions: withEvent('refuse') },
      },
    },
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed('store-driver') },
  },
  output: outcomeOf,
});
