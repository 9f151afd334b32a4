import { execFile, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, afterEach, describe, expect, it } from 'vitest';

import { agreedAtPanel } from './agreed-at-panel.ts';
import { type AgentProcess, clearAway, ownFolder, startAgent } from './agent-process.ts';
import { freePort, post, statusOf, until } from './live-agent.ts';

const run = promisify(execFile);

/** The chunk of the camera's parts and drivers (bin/parts/camera.ts). */
const chunkName = 'bin-parts-camera.js';
/** How soon everything is gone once it is off, in milliseconds. */
const offMs = 1000;

afterAll(clearAway);

interface Panel {
  readonly agent: AgentProcess;
  readonly streamPort: number;
  /** The scripts that it has loaded, once it has ended. */
  readonly loaded: () => readonly string[];
}

async function startPanel(more: { readonly data?: string } = {}): Promise<Panel> {
  const kept = join(ownFolder(), 'code');
  mkdirSync(kept);
  const streamPort = await freePort();
  const agent = await startAgent({
    ...more,
    env: { SCONCE_KEEP_CODE: kept, SCONCE_STREAM_PORT: String(streamPort), SCONCE_VERIFY_ANSWERS: '1' },
  });
  await until('the first scan', async () => (await cameraOf(agent)).state !== 'absent');
  return { agent, streamPort, loaded: () => readdirSync(kept) };
}

const cameraOf = async ({ url }: AgentProcess) => (await statusOf(url)).camera;
const json = async (response: Response): Promise<Record<string, unknown>> =>
  (await response.json()) as Record<string, unknown>;
const picture = ({ url }: AgentProcess, query = ''): Promise<Response> =>
  fetch(`${url}/api/v1/camera/snapshot.jpg${query}`);

/** True if a program listens on that port of this machine. */
const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const end = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });

/** Ids of the encoders that this agent runs; the kernel may not have reaped one that has ended. */
function encoders({ child }: AgentProcess): readonly number[] {
  const statOf = (pid: string): string => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8');
    } catch {
      // It has just ended.
      return '';
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const [, name = '', state = '', parent = ''] = /^\d+ \((.*)\) (\S) (\d+)/.exec(statOf(pid)) ?? [];
      return name === 'ffmpeg' && state !== 'Z' && Number(parent) === child.pid;
    })
    .map(Number);
}

/** Asks for the camera as a program in the network does, and agrees at the panel. */
async function turnOn(agent: AgentProcess): Promise<void> {
  expect(await agreedAtPanel(agent.url, { camera_enabled: true })).toBe('Turn on the camera');
  await until('the camera to be on', async () => (await cameraOf(agent)).state === 'idle');
}

const turnOff = ({ url }: AgentProcess): Promise<Response> => post(`${url}/api/v1/config`, { camera_enabled: false });

async function everythingGone({ agent, streamPort }: Panel): Promise<void> {
  await until(
    'the port and the encoder to be gone',
    async () => !(await listens(streamPort)) && encoders(agent).length === 0,
    offMs,
  );
  await until('the status to say so', async () => (await cameraOf(agent)).state === 'disabled', 2000);
}

const players: ReturnType<typeof spawn>[] = [];
afterEach(() => {
  for (const player of players.splice(0)) player.kill('SIGKILL');
});

/** A player that watches until it is ended. */
function watch(port: number, query = ''): { readonly ended: Promise<number | null> } {
  const url = `rtsp://127.0.0.1:${port}/live${query}`;
  const player = spawn(
    'ffmpeg',
    ['-v', 'error', '-rtsp_transport', 'tcp', '-i', url, '-c', 'copy', '-f', 'null', '-'],
    {
      stdio: 'ignore',
    },
  );
  players.push(player);
  return { ended: new Promise((resolve) => player.once('exit', (code) => resolve(code))) };
}

const isLive = async (agent: AgentProcess): Promise<boolean> => (await cameraOf(agent)).state === 'live';

describe('a camera that was never turned on', () => {
  it('costs no process, port or code, and says that it is off', async () => {
    const panel = await startPanel();
    const { agent, streamPort } = panel;
    expect(await cameraOf(agent)).toMatchObject({ state: 'disabled', outcome: 'camera-disabled', stream_port: null });
    const refused = await picture(agent);
    expect([refused.status, await json(refused)]).toMatchObject([503, { error: 'camera-disabled' }]);
    expect([await listens(streamPort), encoders(agent)]).toEqual([false, []]);
    await agent.kill('SIGTERM');
    expect(panel.loaded()).toContain('core.js');
    expect(panel.loaded()).not.toContain(chunkName);
  });
});

describe('a camera that a person at the panel has turned on', () => {
  it('gives a picture and a stream by one encoder, and is gone when it is off', async () => {
    const panel = await startPanel();
    const { agent, streamPort } = panel;
    await turnOn(agent);
    expect(await listens(streamPort)).toBe(true);
    expect(encoders(agent)).toEqual([]);

    const [first, second] = await Promise.all([picture(agent), picture(agent, '?res=480p')]);
    for (const { status, headers } of [first, second])
      expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
        200,
        'image/jpeg',
        'no-store',
      ]);
    const bytes = Buffer.from(await first.arrayBuffer());
    expect(bytes.subarray(0, 3).toString('hex')).toBe('ffd8ff');

    const shown = ['-show_entries', 'stream=codec_name,width,height', '-of', 'json'];
    const address = `rtsp://127.0.0.1:${streamPort}/live`;
    const probed = await run('ffprobe', ['-v', 'error', '-rtsp_transport', 'tcp', ...shown, address]);
    expect(JSON.parse(probed.stdout)).toMatchObject({ streams: [{ codec_name: 'h264', width: 1280, height: 720 }] });

    const player = watch(streamPort);
    watch(streamPort);
    await until('two players by one encoder', async () => (await cameraOf(agent)).stream_clients === 2);
    expect(encoders(agent)).toHaveLength(1);
    expect(await cameraOf(agent)).toMatchObject({ state: 'live', indication: 'overlay', encoder: 'libx264' });

    const asked = Date.now();
    expect((await turnOff(agent)).status).toBe(200);
    await everythingGone(panel);
    expect(Date.now() - asked).toBeLessThan(2 * offMs);
    await player.ended;
    expect((await picture(agent)).status).toBe(503);

    const { entries } = (await (await fetch(`${agent.url}/api/v1/history`)).json()) as {
      readonly entries: readonly { readonly kind: string; readonly code: string; readonly by: string | null }[];
    };
    const told = entries.filter(({ kind }) => kind === 'camera').map(({ code, by }) => `${code} ${by}`);
    expect(told.toSorted()).toEqual(['left player', 'off null', 'on null', 'watched player']);
    await agent.kill('SIGTERM');
    expect(panel.loaded()).toContain(chunkName);
  });

  it('goes on when its encoder is killed, and leaves none behind when the agent is', async () => {
    const panel = await startPanel();
    const { agent, streamPort } = panel;
    await turnOn(agent);
    watch(streamPort);
    const [before] = await until('an encoder', async () => (await isLive(agent)) && encoders(agent));
    if (before === undefined) throw new Error('there is no encoder');
    process.kill(before, 'SIGKILL');
    await until('another encoder', async () => {
      const [now] = encoders(agent);
      return now !== undefined && now !== before && isLive(agent);
    });
    await agent.kill('SIGKILL');
    await until('the encoder to be gone', () => encoders(agent).length === 0, offMs);

    // The consent lasts, and nothing is opened before a program watches.
    const next = await startPanel({ data: agent.data });
    await until('the camera to be on', async () => (await cameraOf(next.agent)).state === 'idle');
    expect([await listens(next.streamPort), encoders(next.agent)]).toEqual([true, []]);
    expect((await picture(next.agent)).status).toBe(200);
    await until(
      'it to close again',
      async () => (await cameraOf(next.agent)).state === 'idle' && encoders(next.agent).length === 0,
    );
    await turnOff(next.agent);
    await everythingGone(next);
    await next.agent.kill('SIGTERM');
  });
});
