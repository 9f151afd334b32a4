// How a program of the tests is run: in a process group of its own, bounded in time, its output shown where it belongs.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const running = new Set();

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** Ends whatever is running; called when the runner itself is told to stop. */
export function endRunning() {
  for (const pid of running) signalGroup(pid, 'SIGKILL');
}

/** Where a step's output goes, and how nicely its programs run (0 to 19, as of `nice`): shown as it comes. */
export const live = { say: (text) => process.stdout.write(text), niceness: 0 };

/** Shows nothing of what is run. */
export const silent = { say: () => undefined, niceness: 0 };

/** Where the kernel groups processes by session, `nice` alone is held against the own session only. */
function yieldToOtherSessions(pid, niceness) {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch {
    // A kernel without such groups, or a program that ended at once.
  }
}

/**
 * Runs a command in a process group of its own; after `withinMs` the whole group is killed. Its output goes to `at`,
 * its last lines are kept.
 */
export const execute = (command, args, { withinMs, env = process.env, at = live }) =>
  new Promise((resolve) => {
    const [program, ...rest] =
      at.niceness > 0 ? ['nice', '-n', String(at.niceness), command, ...args] : [command, ...args];
    const child = spawn(program, rest, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let tail = '';
    let late = false;
    const keep = (chunk) => {
      at.say(chunk);
      tail = (tail + chunk).slice(-20_000);
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', keep);
    const timer = setTimeout(() => {
      late = true;
      signalGroup(child.pid, 'SIGKILL');
    }, withinMs);
    const done = (code) => {
      clearTimeout(timer);
      if (child.pid !== undefined) {
        running.delete(child.pid);
        // What a step left behind would disturb the next one.
        signalGroup(child.pid, 'SIGKILL');
      }
      resolve({ code, late, tail: tail.trimEnd() });
    };
    if (child.pid !== undefined) {
      running.add(child.pid);
      if (at.niceness > 0) yieldToOtherSessions(child.pid, at.niceness);
    }
    child.once('error', () => done(127));
    child.once('exit', (code) => setTimeout(() => done(code ?? 1), 50));
  });
