import { execFile } from 'node:child_process';

import { ok, refuse, type Result } from '#machines/kit/result.ts';

export type ToolRefusal = 'not-installed' | 'no-answer' | 'failed';

/** Environment that tools are looked up and run in. */
export type ToolEnv = Readonly<Record<string, string | undefined>>;

/** Longest run of a tool, in milliseconds; a healthy call takes under 10 (measured on Debian 12). */
export const TOOL_BOUND_MS = 2000;
/** Most output of a tool, in bytes. */
const OUTPUT_LIMIT = 256 * 1024;

/** Environment for tools: English output, and the folders that a service's PATH often lacks. */
export const toolEnv = (env: ToolEnv): NodeJS.ProcessEnv => ({
  ...env,
  LC_ALL: 'C',
  PATH: `${env.PATH ?? '/usr/bin:/bin'}:/usr/sbin:/sbin`,
});

export interface ToolOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** True if it ended with status 0. */
  readonly endedWell: boolean;
}

/**
 * Runs a tool from the PATH to its end, with any status; killed after its bound (2 s by default) or on abort. Never
 * rejects.
 */
export const toolOutput = (
  tool: string,
  args: readonly string[],
  env: ToolEnv,
  signal: AbortSignal,
  boundMs = TOOL_BOUND_MS,
): Promise<Result<ToolOutput, ToolRefusal>> =>
  new Promise((resolve) => {
    // A separate controller: Node never removes its listener from the signal if the program is not installed (seen with
    // 20.20).
    const run = new AbortController();
    const stop = (): void => run.abort();
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    execFile(
      tool,
      args,
      { env: toolEnv(env), timeout: boundMs, killSignal: 'SIGKILL', maxBuffer: OUTPUT_LIMIT, signal: run.signal },
      (error, stdout, stderr) => {
        signal.removeEventListener('abort', stop);
        if (error === null) resolve(ok({ stdout, stderr, endedWell: true }));
        else if (error.code === 'ENOENT') resolve(refuse('not-installed', `${tool} is not installed.`));
        else if (error.killed === true) resolve(refuse('no-answer', `${tool} did not answer in time.`));
        else if (typeof error.code === 'number') resolve(ok({ stdout, stderr, endedWell: false }));
        else resolve(refuse('failed', `${tool} reported an error.`));
      },
    );
  });

/** As `toolOutput`, but with the standard output only; `failed` unless the status is 0. */
export async function runTool(...run: Parameters<typeof toolOutput>): Promise<Result<string, ToolRefusal>> {
  const output = await toolOutput(...run);
  if (!output.ok) return output;
  return output.value.endedWell ? ok(output.value.stdout) : refuse('failed', `${run[0]} reported an error.`);
}
