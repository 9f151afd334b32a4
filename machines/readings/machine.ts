import { assign, sendTo, setup } from 'xstate';

import { crashed, outcomeOf, stopped, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import type { MachineReading, ReadingsContext, ReadingsDriverCommand, ReadingsEvent, ReadingsFact } from './events.ts';
import { steadyBoot } from './steady-boot.ts';

/** Looks at the machine itself; what it cannot tell is null in the reading, never a failure. */
export const readingsMachine = setup({
  types: {
    context: {} as ReadingsContext,
    events: {} as ReadingsEvent,
    output: {} as WorkerOutcome,
  },
  actors: { probe: placeholder<ReadingsDriverCommand, undefined, ReadingsFact>() },
  actions: {
    keep: assign(({ context }, params: { reading: MachineReading; at: number }) => ({
      reading: { ...params.reading, bootedAt: steadyBoot(context.reading?.bootedAt ?? null, params.reading.bootedAt) },
      takenAt: params.at,
    })),
    look: sendTo('probe', { type: 'readings.look' }),
  },
}).createMachine({
  id: 'readings',
  context: { reading: null, takenAt: null },
  initial: 'watching',
  states: {
    watching: {
      invoke: { id: 'probe', src: 'probe', onError: 'failed' },
      on: {
        'readings.taken': {
          actions: { type: 'keep', params: ({ event }) => ({ reading: event.reading, at: event.at }) },
        },
        'readings.refresh': { actions: 'look' },
        'readings.stop': 'stopped',
      },
    },
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed('readings-driver') },
  },
  output: outcomeOf,
});
