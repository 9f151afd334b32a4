import { spawn } from 'node:child_process';
import type { EventObject } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { RelightDriver } from '#machines/relight/events.ts';

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
export const relightWatcher = ({ script, env = process.env }: WatcherOptions): RelightDriver =>
  fromDriver<EventObject, undefined, never>(({ guard }) => {
    const child = spawn('/bin/sh', [script, '--when-input-ends'], {
      env,
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.on(
      'error',
      guard((failure: Error): never => {
        throw failure;
      }),
    );
    child.on(
      'exit',
      guard((): never => {
        throw Object.assign(new Error('the watcher ended'), { code: 'ended' });
      }),
    );
    child.stdin.on('error', () => {});
    child.unref();
    return () => void child.stdin.end();
  });
