import { Worker } from 'node:worker_threads';

import type { Milliseconds } from '#machines/kit/units.ts';

/** A watch over a start whose event loop may hang. */
export interface TrialWatch {
  /** The start is over: the watch ends and nothing is killed. */
  readonly disarm: () => void;
}

/** Memory of the watch's thread in MiB: it waits, and runs one line. */
const HEAP_MB = 16;

// Waits outside the event loop; SIGUSR2 ends a process that does not ask for it, and its status says who it was: 140.
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
  // Without its thread the start is watched by the event loop alone.
  worker.on('error', () => {});
  return {
    disarm: () => {
      Atomics.store(new Int32Array(flag), 0, 1);
      Atomics.notify(new Int32Array(flag), 0);
    },
  };
}
