import { execFile } from 'node:child_process';
import { toolEnv } from '#drivers/kit/run-tool.ts';

interface Ended {
  /** 0 on success; 127 if the command does not exist; -1 if it was killed for taking too long. */
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a system command to its end, for at most `withinMs` milliseconds, with English output. */
export type RunCommand = (command: string, args: readonly string[], withinMs?: number) => Promise<Ended>;

/** Most output of a command, in bytes. */
const outputLimit = 16 * 1024 * 1024;

export const runCommand: RunCommand = (command, args, withinMs = 20_000) =>
  new Promise((resolve) => {
    const env = { ...toolEnv(process.env), DEBIAN_FRONTEND: 'noninteractive' };
    const child = execFile(
      command,
      args,
      { env, timeout: withinMs, killSignal: 'SIGKILL', maxBuffer: outputLimit },
      (error, out, err) => {
        if (error === null) resolve({ code: 0, out, err });
        else if (error.killed === true)
          resolve({ code: -1, out, err: `${command} took longer than ${Math.round(withinMs / 1000)} s.` });
        else resolve({ code: typeof error.code === 'number' ? error.code : 127, out, err });
      },
    );
    child.stdin?.end();
  });
