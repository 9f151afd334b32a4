import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

import { boundProgram } from '#drivers/kit/bound-program.ts';
import { toolEnv, type ToolEnv } from '#drivers/kit/run-tool.ts';

/** Exit status of setpriv if the program does not exist. */
const NOT_FOUND = 127;
/** Characters of error output that are kept, the first ones: they have the reason. */
const ERRORS_KEPT = 2048;

/** How a program ended. */
export interface ProgramEnd {
  /** True if it ended by itself with status 0. */
  readonly endedWell: boolean;
  /** True if it is not installed. */
  readonly isMissing: boolean;
  /** Its first error output, which may hold names. */
  readonly errors: string;
}

export interface RunningProgram {
  /** -1 if it could not be started. */
  readonly pid: number;
  /** Ends it at once; nothing it has written is passed on after this. */
  readonly kill: () => void;
  /** Resolves when the process is gone, and its output has been read if it ended by itself; never rejects. */
  readonly gone: Promise<ProgramEnd>;
}

export interface ProgramOptions {
  readonly env: ToolEnv;
  /** Called with its standard output. */
  readonly onData?: (chunk: Buffer) => void;
  /** Its standard input; none by default. */
  readonly input?: Uint8Array;
}

/** Runs a program that records, plays or reports, until it ends or is killed. */
export function runProgram(
  tool: string,
  args: readonly string[],
  { env, onData, input }: ProgramOptions,
): RunningProgram {
  const [program, words] = boundProgram(tool, args);
  const child: ChildProcess = spawn(program, words, {
    env: toolEnv(env),
    stdio: [input === undefined ? 'ignore' : 'pipe', onData === undefined ? 'ignore' : 'pipe', 'pipe'],
  });
  let errors = '';
  let isKilled = false;
  const kill = (): void => {
    isKilled = true;
    child.kill('SIGKILL');
  };
  process.on('exit', kill);
  const gone = new Promise<ProgramEnd>((resolve) => {
    const end = (status: number | null, isMissing: boolean): void => {
      process.off('exit', kill);
      resolve({ endedWell: status === 0 && !isKilled, isMissing, errors });
    };
    child.on('exit', (status) => {
      if (isKilled) end(status, false);
    });
    child.on('close', (status) => end(status, status === NOT_FOUND));
    // Not started; there may be no pipes either.
    child.on('error', (error) => {
      if (child.pid === undefined) end(null, 'code' in error && error.code === 'ENOENT');
    });
  });
  // The pipes are missing if the process could not be started.
  const pipes: {
    readonly stdin?: Writable | null;
    readonly stdout?: Readable | null;
    readonly stderr?: Readable | null;
  } = child;
  // A broken pipe: the process ends, which is what counts.
  for (const pipe of [pipes.stdin, pipes.stdout, pipes.stderr]) pipe?.on('error', () => {});
  pipes.stdout?.on('data', (chunk: Buffer) => {
    if (!isKilled) onData?.(chunk);
  });
  pipes.stderr?.on('data', (chunk: Buffer) => {
    if (errors.length < ERRORS_KEPT) errors += chunk.toString('latin1').slice(0, ERRORS_KEPT);
  });
  pipes.stdin?.end(input);
  return { pid: child.pid ?? -1, kill, gone };
}

/** Passes samples on whole: a pipe may split one. */
export function wholeSamples(onSamples: (pcm: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer | null = null;
  return (chunk) => {
    const all = rest === null ? chunk : Buffer.concat([rest, chunk]);
    const even = all.length - (all.length % 2);
    rest = even === all.length ? null : Buffer.from(all.subarray(even));
    if (even > 0) onSamples(all.subarray(0, even));
  };
}
