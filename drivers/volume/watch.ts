import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import type { Milliseconds } from '#machines/kit/units.ts';

import type { Watcher } from './mixer.ts';
import { boundProgram } from '#drivers/kit/bound-program.ts';
import { toolEnv, type ToolEnv } from '#drivers/kit/run-tool.ts';

/**
 * Pause before a watcher that ended is restarted. Without its tool, this is the interval at which the volume is read.
 */
const REWATCH_MS: Milliseconds = 2000;
/** Lines closer together than this cause a single reading. */
const SETTLE_MS: Milliseconds = 50;

/** Pause before the first reading after a start, and how many there are; each next pause is twice as long. */
const EARLY_MS: Milliseconds = 250;
const EARLY_READINGS = 4;

/** Starts the watcher's tool; null if the system cannot start a process now (no descriptors, no memory). */
function started(watcher: Watcher, env: ToolEnv): ChildProcess | null {
  try {
    const [program, args] = boundProgram(watcher.tool, watcher.args);
    return spawn(program, args, { env: toolEnv(env), stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return null;
  }
}

/**
 * Calls `onChange` when the tool reports a change, after each time it could not watch, and some times after its start:
 * it says nowhere when it begins to listen, and misses what changes before. Its first line, of whatever, shows that it
 * listens. Returns a function that stops it.
 */
export function watchMixer(watcher: Watcher, env: ToolEnv, onChange: () => void): () => void {
  let over = false;
  let settling: NodeJS.Timeout | undefined;
  let restarting: NodeJS.Timeout | undefined;
  let early: NodeJS.Timeout | undefined;
  let child: ChildProcess | null = null;
  const end = (): void => void child?.kill('SIGKILL');

  const readEarly = (left: number, pauseMs: Milliseconds): void => {
    if (over || left === 0) return;
    early = setTimeout(() => {
      onChange();
      readEarly(left - 1, pauseMs * 2);
    }, pauseMs);
  };
  const openLater = (): void => {
    restarting = setTimeout(() => {
      onChange();
      if (!over) open();
    }, REWATCH_MS);
  };
  const open = (): void => {
    const mine = started(watcher, env);
    child = mine;
    if (mine === null) {
      openLater();
      return;
    }
    let ended = false;
    const onEnd = (): void => {
      if (ended || over) return;
      ended = true;
      child = null;
      clearTimeout(early);
      openLater();
    };
    // A tool that is not installed causes an error and no exit.
    mine.on('error', onEnd);
    mine.on('exit', onEnd);
    // If no descriptor was left for the pipe, there is no output, and the error above follows.
    if (mine.stdout === null || mine.stdout === undefined) return;
    readEarly(EARLY_READINGS, EARLY_MS);
    let isHeard = false;
    createInterface({ input: mine.stdout }).on('line', (line) => {
      if (over || (isHeard && !watcher.concerns(line))) return;
      isHeard = true;
      clearTimeout(early);
      clearTimeout(settling);
      settling = setTimeout(onChange, SETTLE_MS);
    });
  };

  // An abrupt exit runs no cleanup, and the tool would go on without its reader.
  process.on('exit', end);
  open();
  return () => {
    over = true;
    clearTimeout(settling);
    clearTimeout(restarting);
    clearTimeout(early);
    process.off('exit', end);
    end();
  };
}
