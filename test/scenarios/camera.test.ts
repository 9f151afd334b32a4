import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

import { afterAll, afterEach, describe, expect, it } from 'vitest';

import { type AgentProcess, clearAway } from './agent-process.ts';
import {
  cameraOf,
  encoders,
  everythingGone,
  isEncoding,
  listens,
  offMs,
  startPanel,
  turnOff,
  turnOn,
} from './camera-panel.ts';
import { until } from './live-agent.ts';

const run = promisify(execFile);

/** The chunk of the camera's parts and drivers (bin/parts/camera.ts). */
const chunkName = 'bin-parts-camera.js';
afterAll(clearAway);

const json = async (response: Response): Promise<Record<string, unknown>> =>
  (await response.json()) as Record<string, unknown>;
const picture = ({ url }: AgentProcess, query = ''): Promise<Response> =>
  fetch(`${url}/api/v1/camera/snapshot.jpg${query}`);

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
    expect(await turnOn(agent)).toBe('Turn on the camera');
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
    const after = await until('another encoder', async () => {
      const [now] = encoders(agent);
      return now !== undefined && now !== before && (await isLive(agent)) && now;
    });
    await agent.kill('SIGKILL');
    await until('the encoder to be gone', () => !isEncoding(after), offMs);

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
