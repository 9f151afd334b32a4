import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A PulseAudio server of the test's own. */
export interface PulseServer {
  /** Environment in which tools reach it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pactl: (...args: string[]) => Promise<string>;
  /** Ends the server as a crash would; clients may go on looking for it. */
  readonly kill: () => Promise<void>;
  /** Ends the server and removes its folder. For after the last client: pactl makes the folder again. */
  readonly end: () => Promise<void>;
}

/** One that comes back after a kill. */
export interface LastingPulseServer extends PulseServer {
  /** Starts it again where it was, without what was loaded since; returns once it answers. */
  readonly startAgain: () => Promise<void>;
}

/** Whether the server and its tool are installed. */
export const pulseInstalled = (): Promise<boolean> =>
  Promise.all([run('pulseaudio', ['--version']), run('pactl', ['--version'])]).then(
    () => true,
    () => false,
  );

const PLUGIN = 'alsa-lib/libasound_module_ctl_pulse.so';

/** Whether amixer and ALSA's plug-in for PulseAudio (packages alsa-utils and libasound2-plugins) are installed. */
export async function amixerInstalled(): Promise<boolean> {
  const tool = await run('amixer', ['--version']).then(
    () => true,
    () => false,
  );
  const libraries = await readdir('/usr/lib', { withFileTypes: true });
  return tool && libraries.some((entry) => entry.isDirectory() && existsSync(join('/usr/lib', entry.name, PLUGIN)));
}

const stopped = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', () => resolve()));

/** Starts a server with these modules in a private run-time folder and waits until it answers. */
export async function pulseServer(...modules: string[]): Promise<LastingPulseServer> {
  const home = await mkdtemp(join(tmpdir(), 'sconce-pulse-'));
  const { PULSE_SERVER: _, ...rest } = process.env;
  const env = {
    ...rest,
    HOME: home,
    XDG_RUNTIME_DIR: home,
    XDG_CONFIG_HOME: home,
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent',
    LC_ALL: 'C',
  };
  const loads = ['module-native-protocol-unix', ...modules].flatMap((module) => ['-L', module]);
  const start = (): ChildProcess =>
    spawn(
      'pulseaudio',
      ['-n', '--daemonize=no', '--use-pid-file=no', '--exit-idle-time=-1', '--disallow-exit', ...loads],
      { env, stdio: 'ignore' },
    );
  let child = start();
  const pactl = async (...args: string[]): Promise<string> => (await run('pactl', args, { env, timeout: 2000 })).stdout;
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await stopped(child);
  };
  const end = async (): Promise<void> => {
    await kill();
    await rm(home, { recursive: true, force: true });
  };
  const answered = async (): Promise<void> => {
    const giveUpAt = Date.now() + 10_000;
    for (;;) {
      if (
        await pactl('info').then(
          () => true,
          () => false,
        )
      )
        return;
      if (child.exitCode !== null || Date.now() > giveUpAt) {
        await end();
        throw new Error('pulseaudio did not start');
      }
    }
  };
  const startAgain = async (): Promise<void> => {
    child = start();
    await answered();
  };
  await answered();
  return { env, pactl, kill, startAgain, end };
}
