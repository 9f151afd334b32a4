import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';

import { toolEnv, type ToolEnv } from '#drivers/kit/run-tool.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import { createLastLines } from './faults.ts';

/** From the request to end until it is killed. */
const KILL_MS: Milliseconds = 500;

const SETPRIV = '/usr/bin/setpriv';
const NICE = '/usr/bin/nice';

/**
 * The command, with less priority than the dashboard, and ended by the kernel if the agent is killed. Both tools
 * replace themselves by the next, so the process id is ffmpeg's. Debian always has them.
 */
function commandOf(ffmpeg: string, args: readonly string[]): readonly [string, readonly string[]] {
  const words = [
    ...(existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'KILL'] : []),
    ...(existsSync(NICE) ? [NICE, '-n', '10'] : []),
    ffmpeg,
    ...args,
  ];
  return [words[0] ?? ffmpeg, words.slice(1)];
}

export interface FfmpegRun {
  /** Its standard input; null if it could not be started. */
  readonly input: Writable | null;
  /** The last lines of its error output. They may hold paths: only `judgeEnd` reads them. */
  readonly lines: () => readonly string[];
  /** Asks it to end; killed 500 ms later. */
  readonly stop: () => void;
  readonly kill: () => void;
  /** Resolves when the process is gone, and its output has been read if it ended by itself; never rejects. */
  readonly gone: Promise<void>;
}

/** Starts ffmpeg (by path); `onData` gets its standard output. */
export function runFfmpeg(
  ffmpeg: string,
  args: readonly string[],
  { env, onData }: { readonly env: ToolEnv; readonly onData: (chunk: Buffer) => void },
): FfmpegRun {
  const [tool, words] = commandOf(ffmpeg, args);
  const child: ChildProcess = spawn(tool, words, {
    env: { ...toolEnv(env), AV_LOG_FORCE_NOCOLOR: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const last = createLastLines();
  let killTimer: NodeJS.Timeout | undefined;
  let isEnded = false;
  const kill = (): void => {
    isEnded = true;
    child.kill('SIGKILL');
  };
  process.on('exit', kill);
  const gone = new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(killTimer);
      process.off('exit', kill);
      resolve();
    };
    // Its last words count only if it ended by itself.
    child.on('exit', () => {
      if (isEnded) end();
    });
    child.on('close', end);
    // Not started: the system has no free process or descriptor. There may be no pipes either.
    child.on('error', () => {
      if (child.pid === undefined) end();
    });
  });
  const {
    stdin,
    stdout,
    stderr,
  }: Readonly<Record<'stdout' | 'stderr', Readable | null>> & {
    readonly stdin: Writable | null;
  } = child;
  stdout?.on('data', onData);
  stderr?.on('data', (chunk: Buffer) => last.push(chunk.toString('latin1')));
  // A broken pipe: the process ends, which is what counts.
  for (const pipe of [stdin, stdout, stderr]) pipe?.on('error', () => {});
  return {
    input: stdin,
    lines: last.lines,
    kill,
    stop: () => {
      if (killTimer !== undefined) return;
      isEnded = true;
      child.kill('SIGTERM');
      killTimer = setTimeout(kill, KILL_MS);
    },
    gone,
  };
}
