import { assign, sendTo } from 'xstate';

import { crashed, outcomeOf, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import type { EpochMs } from '../kit/units.ts';
import type {
  DiskFact,
  StorageDriverCommand,
  StorageFacts,
  StorageHealthContext,
  StorageHealthEvent,
  StorageInspection,
  WritesFact,
} from './events.ts';
import { afterFailure, afterInspection, afterSuccess } from './judge-storage.ts';
import { nothingKnown } from './nothing-known.ts';
import { storageView } from './view.ts';

const MINUTE_MS = 60_000;

/** True while space is short, or not known to be enough. */
const isShort = ({ facts: { pressure, held } }: StorageHealthContext): boolean =>
  pressure !== 'healthy' || held !== null;

const withFacts = (facts: StorageFacts): StorageHealthContext => ({ facts, health: storageView(facts) });

/** Watches the data folder: free space every 5 minutes, the document once a day, and every failed save at once. */
export const storageHealthMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as StorageHealthContext,
    events: {} as StorageHealthEvent,
    output: {} as WorkerOutcome,
  },
  actors: {
    disk: placeholder<StorageDriverCommand, undefined, DiskFact>(),
    /** Reports the results of the store's writes. */
    writes: placeholder<StorageHealthEvent, undefined, WritesFact>(),
  },
  guards: {
    holdsFailure: ({ context }) => context.facts.held !== null,
    isUnchecked: ({ context }) => context.facts.check === 'not_run',
  },
  actions: {
    noteInspection: assign(({ context }, params: { inspection: StorageInspection; at: EpochMs }) =>
      withFacts(afterInspection(context.facts, params.inspection, params.at)),
    ),
    noteFailure: assign(({ context }, params: { reason: string; at: EpochMs }) =>
      withFacts(afterFailure(context.facts, params.reason, params.at)),
    ),
    noteSuccess: assign(({ context }, params: { at: EpochMs }) => withFacts(afterSuccess(context.facts, params.at))),
    // After each save: what fills the disk does not change that fast.
    inspectSpace: sendTo('disk', { type: 'storage.inspect', depth: 'space' }),
    inspectDisk: sendTo('disk', ({ context }) => ({
      type: 'storage.inspect',
      depth: 'space',
      ...(isShort(context) && { culprits: true }),
    })),
    inspectAll: sendTo('disk', ({ context }) => ({
      type: 'storage.inspect',
      depth: 'full',
      ...(isShort(context) && { culprits: true }),
    })),
  },
  delays: { spaceInterval: 5 * MINUTE_MS, checkInterval: 24 * 60 * MINUTE_MS, settling: 1_000 },
}).createMachine({
  id: 'storage-health',
  context: withFacts(nothingKnown),
  initial: 'watching',
  states: {
    watching: {
      invoke: [
        { id: 'disk', src: 'disk', onError: 'failed' },
        { id: 'writes', src: 'writes', onError: 'failed' },
      ],
      type: 'parallel',
      on: {
        'storage.inspected': {
          actions: { type: 'noteInspection', params: ({ event }) => ({ inspection: event.inspection, at: event.at }) },
        },
        'storage.commit-succeeded': [
          // A new panel had no document to check at the start.
          {
            guard: 'isUnchecked',
            actions: [{ type: 'noteSuccess', params: ({ event }) => ({ at: event.at }) }, 'inspectAll'],
          },
          { actions: [{ type: 'noteSuccess', params: ({ event }) => ({ at: event.at }) }, 'inspectSpace'] },
        ],
        'storage.check': { actions: 'inspectAll' },
      },
      states: {
        space: {
          initial: 'waiting',
          states: {
            waiting: {
              after: {
                spaceInterval: [
                  // A held failure waits for a clean check.
                  { guard: 'holdsFailure', actions: 'inspectAll', target: 'waiting', reenter: true },
                  { actions: 'inspectDisk', target: 'waiting', reenter: true },
                ],
              },
            },
          },
        },
        document: {
          entry: 'inspectAll',
          initial: 'waiting',
          states: {
            waiting: { after: { checkInterval: { actions: 'inspectAll', target: 'waiting', reenter: true } } },
          },
        },
        failures: {
          initial: 'none',
          on: {
            'storage.commit-failed': {
              actions: { type: 'noteFailure', params: ({ event }) => ({ reason: event.reason, at: event.at }) },
              target: '.settling',
            },
          },
          states: {
            none: {},
            // A check that clears a failure must begin after it; the delay ensures that whatever the clock's
            // resolution.
            settling: { after: { settling: { actions: 'inspectAll', target: 'none' } } },
          },
        },
      },
    },
    failed: { type: 'final', output: crashed('storage-health-driver') },
  },
  output: outcomeOf,
});
