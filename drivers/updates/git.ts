import { spawn } from 'node:child_process';
import { toolEnv, type ToolEnv } from '#drivers/kit/run-tool.ts';

/** How a run of Git ended. */
interface GitRun {
  /** 0 on success; null if it was killed; `absent` if Git is not installed. */
  readonly status: number | null | 'absent';
  readonly out: string;
}

/** Runs Git until it ends or the signal is aborted. Never rejects. */
export type Git = (args: readonly string[], signal: AbortSignal) => Promise<GitRun>;

/** Most output that is kept, in characters: several times the changelog. */
const mostOutput = 1024 * 1024;

/** Settings that run nothing of a repository and start nothing that outlives the command. */
const settings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.pager=cat',
  'gc.auto=0',
  'maintenance.auto=false',
  // Needs less memory, and keeps each answer in one file, whose size is bounded.
  'pack.threads=1',
  'core.packedGitWindowSize=16m',
  'core.packedGitLimit=128m',
  'fetch.unpackLimit=1',
  'http.lowSpeedLimit=1',
  'http.lowSpeedTime=10',
];

/**
 * Starts Git with at most 256 MB of memory and 128 MB in a file, in the units of `ulimit`: an origin may send without
 * end, and the panel needs its memory for itself.
 */
const boundedGit = 'ulimit -d 262144 && ulimit -f 262144 && exec git "$@"';
/** What a shell ends with if there is no such program (POSIX). */
const notFound = 127;

/** The environment without what another Git left in it, and without any way to ask a person for a credential. */
export function gitEnv(env: ToolEnv): NodeJS.ProcessEnv {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')));
  return {
    ...toolEnv(own),
    // Nothing that an address can start a program of its own with.
    GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: 'true',
    SSH_ASKPASS: 'true',
    SSH_ASKPASS_REQUIRE: 'never',
    GCM_INTERACTIVE: 'never',
    GIT_SSH_COMMAND: 'ssh -oBatchMode=yes -oConnectTimeout=10',
    GIT_OPTIONAL_LOCKS: '0',
  };
}

/** Git of this machine. */
export const systemGit =
  (env: ToolEnv = process.env): Git =>
  (args, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) {
        resolve({ status: null, out: '' });
        return;
      }
      const given = [...settings.flatMap((setting) => ['-c', setting]), ...args];
      const child = spawn('/bin/sh', ['-c', boundedGit, 'git', ...given], {
        env: gitEnv(env),
        stdio: ['ignore', 'pipe', 'ignore'],
        // A group of its own, so that its helpers for the network end with it.
        detached: true,
      });
      let out = '';
      const end = (status: GitRun['status']): void => {
        signal.removeEventListener('abort', kill);
        resolve({ status, out });
      };
      const kill = (): void => {
        try {
          if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
        } catch {
          // It has ended meanwhile.
        }
        // What has left the group may hold the pipe.
        child.stdout.destroy();
      };
      signal.addEventListener('abort', kill, { once: true });
      child.stdout.setEncoding('utf8').on('data', (piece: string) => {
        if (out.length < mostOutput) out = `${out}${piece}`.slice(0, mostOutput);
      });
      child.once('error', (error) => end('code' in error && error.code === 'ENOENT' ? 'absent' : null));
      child.once('close', (status) => end(status === notFound ? 'absent' : status));
    });
