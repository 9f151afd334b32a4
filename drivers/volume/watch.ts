import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import type { Milliseconds } from '#machines/kit/units.ts';

import type { Watcher } from './mixer.ts';
import { toolEnv, type ToolEnv } from '#drivers/kit/run-tool.ts';

/** Pause before a watcher that ended is started again; where its tool is absent this is how often the volume is looked at. */
export const REWATCH_MS: Milliseconds = 2000;
/** Lines closer together than this mean one look. */
const SETTLE_MS: Milliseconds = 50;

/** Calls `stirred` when the watcher's tool says that something changed, and whenever it could not watch; returns the end. */
export const watchMixer = (watcher: Watcher, env: ToolEnv, stirred: () => void): (() => void) => {
  let over = false;
  let settling: NodeJS.Timeout | undefined;
  let restarting: NodeJS.Timeout | undefined;
  let end = (): void => {};

  const open = (): void => {
    const child = spawn(watcher.tool, watcher.args, { env: toolEnv(env), stdio: ['ignore', 'pipe', 'ignore'] });
    let ended = false;
    const onEnd = (): void => {
      if (ended || over) return;
      ended = true;
      restarting = setTimeout(() => {
        stirred();
        if (!over) open();
      }, REWATCH_MS);
    };
    // A tool that is not installed says so here, and never exits.
    child.on('error', onEnd);
    child.on('exit', onEnd);
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (over || !watcher.concerns(line)) return;
      clearTimeout(settling);
      settling = setTimeout(stirred, SETTLE_MS);
    });
    end = () => void child.kill('SIGKILL');
  };

  open();
  return () => {
    over = true;
    clearTimeout(settling);
    clearTimeout(restarting);
    end();
  };
};
