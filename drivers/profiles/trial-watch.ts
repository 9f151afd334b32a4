import { Worker } from 'node:worker_threads';

import type { Milliseconds } from '#machines/kit/units.ts';

/** Watches a start whose event loop may hang. */
export interface TrialWatch {
  /** Ends the watch once the start is over. */
  readonly disarm: () => void;
}

/** Memory of the watch's thread in MiB, which waits and runs one line. */
const HEAP_MB = 16;

// Waits outside the event loop. SIGUSR2 ends a process without a handler for it, and the status 140 identifies this
// watch.
const program = `
const { workerData } = require('node:worker_threads');
if (Atomics.wait(new Int32Array(workerData.flag), 0, 0, workerData.ms) === 'timed-out') process.kill(process.pid, 'SIGUSR2');
`;

/** Ends this process with SIGUSR2 unless it is disarmed in time. */
export function armTrialWatch(ms: Milliseconds): TrialWatch {
  const flag = new SharedArrayBuffer(4);
  const worker = new Worker(program, {
    eval: true,
    workerData: { flag, ms },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 2 },
  });
  worker.unref();
  // Without the thread only the event loop watches the start.
  worker.on('error', () => {});
  return {
    disarm: () => {
      Atomics.store(new Int32Array(flag), 0, 1);
      Atomics.notify(new Int32Array(flag), 0);
    },
  };
}
