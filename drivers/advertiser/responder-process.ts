import { type ChildProcess, fork } from 'node:child_process';

import type { Milliseconds } from '#machines/kit/units.ts';

import { END, readReport, type ResponderOrder, type ResponderReport } from './messages.ts';

/**
 * Most reports taken from one responder: it sends two in an ordinary life, and one more for each change of its name.
 */
const MOST_REPORTS = 64;
/** Wait for a process that was killed, in milliseconds; one that does not go hangs in the kernel. */
const KILLED_MS: Milliseconds = 2000;

/** A running responder. */
export interface Responder {
  /** Asks it to say goodbye, kills it after `withinMs`; whether it is gone. */
  readonly end: (withinMs: Milliseconds) => Promise<boolean>;
}

/** What the owner of a responder is called with. */
export interface ResponderListener {
  readonly reported: (report: ResponderReport) => void;
  /** It ended without having been asked to, or could not be started. */
  readonly died: () => void;
}

/**
 * Most that V8 may take, in megabytes: the responder's heap is 6 in ordinary life. After 6000 questions in four seconds
 * it holds 12 of its own in place of 16 by V8's own sizes. Of the 47 that a list of processes shows, all but 8 to 10
 * are Node's program, which is in memory once for the agent and for it: as a thread of the agent it takes as much.
 */
const MEMORY = ['--max-old-space-size=32', '--max-semi-space-size=1', '--v8-pool-size=1'];

function forkResponder(program: string): ChildProcess | null {
  try {
    // Nothing of the agent's environment is needed there; its output would be a library's own words.
    return fork(program, [], { env: {}, execArgv: MEMORY, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  } catch {
    return null;
  }
}

/** Starts the responder's program with an order. */
export function startResponder(
  program: string,
  order: ResponderOrder,
  { reported, died }: ResponderListener,
): Responder {
  const child = forkResponder(program);
  let reports = 0;
  let asked = false;
  let settle: (gone: boolean) => void = () => {};
  const gone = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  let over = false;
  const onEnd = (): void => {
    if (over) return;
    over = true;
    settle(true);
    if (!asked) died();
  };
  if (child === null) {
    queueMicrotask(onEnd);
    return { end: () => Promise.resolve(true) };
  }
  child.on('error', () => {
    // A message that could not be sent is an error too: only a process that never was has no id.
    if (child.pid === undefined) onEnd();
  });
  child.on('exit', onEnd);
  child.on('message', (message) => {
    reports += 1;
    const report = reports > MOST_REPORTS || asked ? null : readReport(message);
    if (report !== null) reported(report);
  });
  child.send(order, () => {});
  return {
    end: async (withinMs) => {
      asked = true;
      if (over) return true;
      if (child.connected) child.send(END, () => {});
      const kill = setTimeout(() => child.kill('SIGKILL'), withinMs);
      let give: NodeJS.Timeout | undefined;
      const given = new Promise<boolean>((resolve) => {
        give = setTimeout(() => resolve(false), withinMs + KILLED_MS);
      });
      const ended = await Promise.race([gone, given]);
      clearTimeout(kill);
      clearTimeout(give);
      return ended;
    },
  };
}
