import { spawn } from 'node:child_process';
import type { EventObject } from 'xstate';

import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';

/** What the watcher is started with. */
export interface WatcherOptions {
  /** Path of the script `relight`. */
  readonly script: string;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * A shell that waits for the other end of its standard input to go away, which the kernel does however this process
 * ends, and then lights what is dark. It is in a session of its own, so that Ctrl+C does not reach it first.
 */
export const relightWatcher = ({ script, env = process.env }: WatcherOptions): DriverLogic<EventObject, undefined> =>
  fromDriver<EventObject, undefined, EventObject>(({ guard }) => {
    const child = spawn('/bin/sh', [script, '--when-input-ends'], {
      env,
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const end = guard((): never => {
      throw new Error('relight-watcher-ended');
    });
    child.on('error', end);
    child.on('exit', end);
    child.stdin.on('error', () => {});
    child.unref();
    return () => void child.stdin.end();
  });
