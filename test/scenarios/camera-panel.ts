import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

import type { StatusDocument } from '#machines/status.ts';

import { agreedAtPanel } from './agreed-at-panel.ts';
import { type AgentProcess, ownFolder, startAgent } from './agent-process.ts';
import { freePort, post, statusOf, until } from './live-agent.ts';

/** How soon everything is gone once it is off, in milliseconds. */
export const offMs = 1000;

/** A simulated panel, which films a drawn room. */
export interface Panel {
  readonly agent: AgentProcess;
  readonly streamPort: number;
  /** The scripts that it has loaded, once it has ended. */
  readonly loaded: () => readonly string[];
}

export const cameraOf = async ({ url }: AgentProcess): Promise<StatusDocument['camera']> =>
  (await statusOf(url)).camera;

export async function startPanel(more: { readonly data?: string; readonly streamPort?: number } = {}): Promise<Panel> {
  const { streamPort = await freePort(), ...options } = more;
  const kept = join(ownFolder(), 'code');
  mkdirSync(kept);
  const agent = await startAgent({
    ...options,
    env: { SCONCE_KEEP_CODE: kept, SCONCE_STREAM_PORT: String(streamPort), SCONCE_VERIFY_ANSWERS: '1' },
  });
  await until('the first scan', async () => (await cameraOf(agent)).state !== 'absent');
  return { agent, streamPort, loaded: () => readdirSync(kept) };
}

/** True if a program listens on that port of this machine. */
export const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const end = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });

/** The parent of an ffmpeg that runs; null if it has ended, which the kernel may not have cleared away yet. */
function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [, name = '', state = '', parent = ''] = /^\d+ \((.*)\) (\S) (\d+)/.exec(stat) ?? [];
    return name === 'ffmpeg' && state !== 'Z' && state !== 'X' ? Number(parent) : null;
  } catch {
    // It has just ended.
    return null;
  }
}

/** True while that encoder runs, whatever its parent is now. */
export const isEncoding = (pid: number): boolean => parentOf(pid) !== null;

/** Ids of the encoders that this agent runs. */
export const encoders = ({ child }: AgentProcess): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === child.pid);

/** Asks for the camera as a program in the network does, and agrees at the panel; the title of the question. */
export async function turnOn(agent: AgentProcess): Promise<string> {
  const title = await agreedAtPanel(agent.url, { camera_enabled: true });
  await until('the camera to be on', async () => (await cameraOf(agent)).state === 'idle');
  return title;
}

export const turnOff = ({ url }: AgentProcess): Promise<Response> =>
  post(`${url}/api/v1/config`, { camera_enabled: false });

export async function everythingGone({ agent, streamPort }: Panel): Promise<void> {
  await until(
    'the port and the encoder to be gone',
    async () => !(await listens(streamPort)) && encoders(agent).length === 0,
    offMs,
  );
  await until('the status to say so', async () => (await cameraOf(agent)).state === 'disabled', 2000);
}
