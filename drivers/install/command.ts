import { execFile } from 'node:child_process';
import { toolEnv } from '#drivers/kit/run-tool.ts';

/** How a command ended. */
interface Ended {
  /** 0 when all went well; 127 when the command is not here; -1 when it was killed for taking too long. */
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a system command to its end, for at most `withinMs` milliseconds, with English output. */
export type RunCommand = (command: string, args: readonly string[], withinMs?: number) => Promise<Ended>;

/** Most text kept of a command's output. */
const outputLimit = 16 * 1024 * 1024;

/** The command runner of this machine. */
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
