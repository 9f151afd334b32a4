import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { markIn } from '#drivers/renderer/find-mark.ts';
import type { StatusDocument } from '#machines/status.ts';
import { HomeClient } from './home-assistant/client.ts';
import { Agent } from './kit/agent.ts';
import { Display } from './kit/display.ts';
import { freePort } from './kit/ports.ts';
import { Program } from './kit/program.ts';
import { until } from './kit/until.ts';

const shared = inject('homeAssistant');
const DASHBOARD = 'mark-wall';
let client: HomeClient;
let id: string;
let display: Display;
let agent: Agent;
let viewer: Program | undefined;
let streamPort: number;

const status = (): Promise<StatusDocument> => agent.status();
const isMarked = async (): Promise<boolean> => markIn(await display.corner()).join() === 'camera';
/** Goes to a path, and waits until the mark is in the X server's own picture and the agent says so. */
async function isMarkedOn(path: string): Promise<void> {
  const { at = 0 } = (await status()).renderer?.navigation ?? {};
  expect((await agent.post('/api/v1/action', { a: 'navigate', path })).code).toBe(202);
  await until(`the page ${path}`, async () => {
    const { renderer } = await status();
    return renderer?.navigation?.outcome === 'shown' && renderer.navigation.at > at && renderer.rendered;
  });
  await until(`the mark on ${path}`, async () => (await isMarked()) && (await status()).in_use?.shown === 'overlay');
}

beforeAll(async () => {
  [client, display, streamPort] = await Promise.all([
    HomeClient.open(shared.url, shared.token),
    Display.start(),
    freePort(),
  ]);
  ({ id } = await client.call<{ readonly id: string }>('lovelace/dashboards/create', {
    url_path: DASHBOARD,
    title: 'Mark',
    show_in_sidebar: true,
    mode: 'storage',
  }));
  const cards = [
    { type: 'iframe', url: '/static/icons/favicon-192x192.png', aspect_ratio: '16:9' },
    { type: 'markdown', content: '# Over everything' },
  ];
  await client.call('lovelace/config/save', {
    url_path: DASHBOARD,
    config: {
      views: [
        { title: 'Panel', type: 'panel', cards },
        { title: 'Cards', cards },
      ],
    },
  });
  // Agreed to on the page of the simulated panel; the screen is real afterwards.
  agent = await Agent.start({ env: { SCONCE_STREAM_PORT: String(streamPort) } });
  await until('the first scan', async () => (await status()).camera.state !== 'absent');
  await agent.configure({ ha_url: shared.url, ha_token: shared.token });
  expect((await agent.post('/api/v1/config', { camera_enabled: true })).code).toBe(202);
  const asked = await until('the question', async () => {
    const { shown } = JSON.parse(await agent.text('/api/v1/simulator/approvals')) as {
      readonly shown: { readonly id: string } | null;
    };
    return shown?.id;
  });
  await agent.touch({ approval: asked, answer: 'hold' });
  await until('the camera is on', async () => (await status()).camera.state === 'idle');
  await agent.kill();
  await agent.startAgain({
    args: ['--renderer', 'auto'],
    env: {
      SCONCE_STREAM_PORT: String(streamPort),
      DISPLAY: display.name,
      WAYLAND_DISPLAY: undefined,
      XDG_RUNTIME_DIR: undefined,
    },
  });
  await until('the dashboard', async () => (await status()).renderer?.rendered === true);
});

afterAll(async () => {
  await viewer?.end();
  await agent?.stop();
  await display?.stop();
  if (id !== undefined) await client.call('lovelace/dashboards/delete', { dashboard_id: id });
  client?.close();
});

describe('the mark of the camera on dashboards of a real Home Assistant', () => {
  it('is not there before the camera is opened', async () => expect(await isMarked()).toBe(false));

  it('is on each of them, and gone with the last who watches', async () => {
    const address = `rtsp://127.0.0.1:${streamPort}/live`;
    viewer = new Program('ffmpeg', `-v error -rtsp_transport tcp -i ${address} -c copy -f null -`.split(' '));
    await until('pictures', async () => (await status()).camera.state === 'live');
    for (const path of ['/home/overview', `/${DASHBOARD}/0`, `/${DASHBOARD}/1`, '/profile/general'])
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await isMarkedOn(path);
    expect((await status()).camera.state).toBe('live');
    await viewer.end();
    await until('it is gone', async () => !(await isMarked()));
  });
});
