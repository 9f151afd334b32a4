import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { findProgram } from '#drivers/kit/find-program.ts';
import { vi } from 'vitest';

import type { PulseServer } from '../volume/pulse-server.ts';

const run = promisify(execFile);

const PROGRAMS = ['dbus-daemon', 'pipewire', 'pipewire-pulse', 'wireplumber', 'pactl', 'parec'] as const;

/** The first program of PipeWire that is missing; null if all are installed. */
export async function missingForPipewire(): Promise<string | null> {
  const found = await Promise.all(PROGRAMS.map((name) => findProgram([name], process.env)));
  return PROGRAMS[found.indexOf(null)] ?? null;
}

/** Starts PipeWire with its PulseAudio server, and a bus, which WirePlumber needs, in a private run-time folder. */
export async function pipewireServer(): Promise<PulseServer> {
  const home = await mkdtemp(join(tmpdir(), 'sconce-pipewire-'));
  await mkdir(join(home, 'run'), { mode: 0o700 });
  const bus = `unix:path=${home}/bus`;
  const { PULSE_SERVER: _, ...rest } = process.env;
  const env = {
    ...rest,
    HOME: home,
    XDG_RUNTIME_DIR: join(home, 'run'),
    XDG_CONFIG_HOME: home,
    XDG_STATE_HOME: home,
    DBUS_SESSION_BUS_ADDRESS: bus,
    DBUS_SYSTEM_BUS_ADDRESS: bus,
    LC_ALL: 'C',
  };
  const started: ChildProcess[] = [];
  const start = (tool: string, ...args: string[]): void =>
    void started.push(spawn(tool, args, { env, stdio: 'ignore' }));
  const pactl = async (...args: string[]): Promise<string> => (await run('pactl', args, { env, timeout: 2000 })).stdout;
  const kill = async (): Promise<void> => {
    const ended = started.splice(0).flatMap((child) => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      return child.exitCode === null && child.kill('SIGKILL') ? [gone] : [];
    });
    await Promise.all(ended);
  };
  const end = async (): Promise<void> => {
    await kill();
    await rm(home, { recursive: true, force: true });
  };
  const until = (ready: () => Promise<unknown>): Promise<unknown> =>
    vi.waitFor(ready, { timeout: 10_000, interval: 100 });
  try {
    start('dbus-daemon', '--session', '--nofork', '--nopidfile', `--address=${bus}`);
    start('pipewire');
    await until(() => run('pw-cli', ['info', '0'], { env }));
    start('wireplumber');
    start('pipewire-pulse');
    // WirePlumber, which joins streams and sources, has named a default sink.
    await until(async () => {
      if ((await pactl('info')).includes('@DEFAULT_SINK@')) throw new Error('WirePlumber is not there yet');
    });
  } catch (error) {
    await end();
    throw error;
  }
  return { env, pactl, kill, end };
}
