import { assign, sendTo, setup, type EventObject } from 'xstate';
import { crashed, outcomeOf, stopped, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import type { EpochMs } from '../kit/units.ts';
import type {
  Happening,
  HistoryContext,
  HistoryEntry,
  HistoryEvent,
  RecordCommand,
  RecordFact,
  WitnessFact,
} from './events.ts';
import { joinRecord, note } from './record.ts';

/** The record of what happened: gathered from the other parts, kept across restarts. */
export const historyMachine = setup({
  types: {
    context: {} as HistoryContext,
    events: {} as HistoryEvent,
    input: {} as { readonly startedAt: EpochMs },
    output: {} as WorkerOutcome,
  },
  actors: {
    /** The durable record. */
    record: placeholder<RecordCommand, undefined, RecordFact>(),
    /** Tells what happens to the other parts. */
    witness: placeholder<EventObject, undefined, WitnessFact>(),
  },
  delays: {
    /**
     * How long the keeper may hold up the stop: the write itself goes on in the store, which stops later and ends what
     * it has begun.
     */
    closingBound: 40,
  },
  actions: {
    note: assign(({ context }, happening: Happening) => ({ entries: note(context.entries, happening) })),
    join: assign(({ context }, params: { readonly stored: readonly HistoryEntry[] }) => ({
      entries: joinRecord(params.stored, context.entries, context.startedAt),
      recalled: true,
    })),
    keep: sendTo('record', ({ context }) => ({ type: 'record.keep', entries: context.entries })),
    close: sendTo('record', { type: 'record.close' }),
  },
}).createMachine({
  id: 'history',
  context: ({ input }) => ({ entries: [], recalled: false, startedAt: input.startedAt }),
  invoke: [
    { id: 'record', src: 'record', onError: '.failed' },
    { id: 'witness', src: 'witness', onError: '.failed' },
  ],
  initial: 'recalling',
  on: {
    // Before the record is recalled nothing may be kept: it would replace what earlier runs left.
    'history.happened': {
      actions: { type: 'note', params: ({ event: { at, kind, by, code } }) => ({ at, kind, by, code }) },
    },
    'history.stop': '.stopping',
  },
  states: {
    recalling: {
      on: {
        'record.recalled': {
          target: 'keeping',
          actions: [{ type: 'join', params: ({ event }) => ({ stored: event.entries }) }, 'keep'],
        },
        'history.stop': 'stopped',
      },
    },
    keeping: {
      on: {
        'history.happened': {
          actions: [{ type: 'note', params: ({ event: { at, kind, by, code } }) => ({ at, kind, by, code }) }, 'keep'],
        },
      },
    },
    stopping: {
      entry: 'close',
      after: { closingBound: 'stopped' },
      on: { 'record.closed': 'stopped', 'history.stop': {} },
    },
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed('history') },
  },
  output: outcomeOf,
});
