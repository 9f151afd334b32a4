import { spawn } from 'node:child_process';
import type { EventObject } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { RelightDriver } from '#machines/relight/events.ts';

export interface WatcherOptions {
  /** Path of `bin/install/relight`. */
  readonly script: string;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Starts a shell that waits until its standard input closes, which the kernel does however this process ends, and then
 * lights dark screens. It runs in a separate session, so that Ctrl+C does not end it first.
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
