import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync } from 'node:fs';

import { until } from '../guest-case.ts';

export const straceProgram = '/usr/bin/strace';

/** Looked for by the process itself, so that its trace shows how far it is. */
const waymark = (name: string): string => `/waymark-${name}`;

/**
 * What all threads of this process open while something runs, a line each: before the mark that it sets, and after it.
 */
export async function opensDuring(
  run: (mark: () => Promise<void>) => Promise<void>,
): Promise<readonly [before: readonly string[], after: readonly string[]]> {
  const calls = 'trace=open,openat,openat2,access,faccessat,faccessat2';
  const tracer = spawn(straceProgram, ['-f', '-s', '200', '-e', calls, '-p', String(process.pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(tracer, 'exit');
  let text = '';
  tracer.stderr.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const pass = (name: string): Promise<void> =>
    until(`the trace to show ${name}`, async () => {
      if (text.includes(waymark(name))) return true;
      try {
        accessSync(waymark(name));
      } catch {
        // It is looked for, and does not exist.
      }
      return false;
    });
  try {
    await pass('begin');
    await run(() => pass('middle'));
    await pass('end');
  } finally {
    tracer.kill('SIGINT');
    await ended;
  }
  const lines = text.split('\n');
  const at = (name: string): number => lines.findIndex((line) => line.includes(waymark(name)));
  const opens = (from: number, to: number): readonly string[] =>
    lines.slice(from, to).filter((line) => /\bopen(at2?)?\(/.test(line));
  return [opens(at('begin'), at('middle')), opens(at('middle'), at('end'))];
}
