import { type ChildProcess, fork } from 'node:child_process';

import type { Milliseconds } from '#machines/kit/units.ts';

import { END, readReport, type ResponderOrder, type ResponderReport } from './messages.ts';

/** Most reports accepted from one responder: it normally sends two, and one more for each change of its name. */
const MOST_REPORTS = 64;
/** Wait for a killed process; one that does not go hangs in the kernel. */
const KILLED_MS: Milliseconds = 2000;

/** A running responder. */
export interface Responder {
  /** Asks it to say goodbye, and kills it after `withinMs`; resolves to true once it is gone. */
  readonly end: (withinMs: Milliseconds) => Promise<boolean>;
}

export interface ResponderListener {
  readonly reported: (report: ResponderReport) => void;
  /** It ended without being asked to, or could not be started. */
  readonly died: () => void;
}

/**
 * Bounds of V8 in megabytes: the responder's heap normally has 6. After 6000 questions in four seconds it has 12
 * instead of 16 with V8's defaults. Of the 47 in a process list, all but 8 to 10 are Node's program, which it shares
 * with the agent: a thread of the agent would take as much.
 */
const MEMORY = ['--max-old-space-size=32', '--max-semi-space-size=1', '--v8-pool-size=1'];

function forkResponder(program: string): ChildProcess | null {
  try {
    // It needs nothing of the agent's environment, and its output would only be the library's.
    return fork(program, [], { env: {}, execArgv: MEMORY, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  } catch {
    return null;
  }
}

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
    // A message that could not be sent is an error too; only a process that never started has no id.
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
