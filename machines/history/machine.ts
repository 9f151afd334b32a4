import { assign, sendTo, type EventObject } from 'xstate';
import { crashed, outcomeOf, stopped, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import type { EpochMs } from '../kit/units.ts';
import { withEvent } from '../kit/with-event.ts';
import type { HistoryContext, HistoryEvent, RecordCommand, RecorderFact, RecordFact } from './events.ts';
import { joinRecord, note } from './record.ts';

type Recalled = Extract<RecordFact, { readonly type: 'record.recalled' }>;

/** The history: collected from the other parts, kept across restarts. */
export const historyMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as HistoryContext,
    events: {} as HistoryEvent,
    input: {} as { readonly startedAt: EpochMs },
    output: {} as WorkerOutcome,
  },
  actors: {
    record: placeholder<RecordCommand, undefined, RecordFact>(),
    /** Reports what happens to the other parts. */
    recorder: placeholder<EventObject, undefined, RecorderFact>(),
  },
  delays: {
    /**
     * How long the last write may delay the stop: it continues in the store, which stops later and finishes its
     * writes.
     */
    closingBound: 40,
  },
  actions: {
    note: assign(({ context }, historyEvent: RecorderFact) => ({
      entries: note(context.entries, historyEvent),
    })),
    join: assign(({ context }, { entries }: Recalled) => ({
      entries: joinRecord(entries, context.entries, context.startedAt),
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
    { id: 'recorder', src: 'recorder', onError: '.failed' },
  ],
  initial: 'recalling',
  on: {
    // Nothing may be stored before the record is recalled: it would replace the entries of earlier runs.
    'history.happened': { actions: withEvent('note') },
    'history.stop': '.stopping',
  },
  states: {
    recalling: {
      on: {
        'record.recalled': { target: 'keeping', actions: [withEvent('join'), 'keep'] },
        'history.stop': 'stopped',
      },
    },
    keeping: { on: { 'history.happened': { actions: [withEvent('note'), 'keep'] } } },
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
