import type { z } from 'zod';
import type { Machines } from '#machines/status/inspection.ts';
import type { Given } from '#routes/kit/answer.ts';

/** The event stream with its machine, cut out of the tree that it stands in. */
export const machinesExample: Given<z.input<ReturnType<typeof Machines>>> = {
  tree: {
    id: 'stream',
    kind: 'worker',
    phase: 'running',
    restarts: 0,
    reason: null,
    since: 1_795_352_177_000,
    children: [],
  },
  machines: [
    {
      id: 'stream',
      value: 'quiet',
      chart: {
        id: 'stream',
        name: 'stream',
        kind: 'compound',
        initial: true,
        runs: [],
        edges: [],
        states: [
          {
            id: 'stream.quiet',
            name: 'quiet',
            kind: 'atomic',
            initial: true,
            runs: [],
            edges: [{ kind: 'event', label: 'stream.touched', guard: null, targets: ['stream.gathering'] }],
            states: [],
          },
        ],
      },
      cut: false,
    },
  ],
};
