import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type EntityState, type FlowStep, HomeClient } from './home-assistant/client.ts';
import { Agent } from './kit/agent.ts';
import { join, panelCalled } from './kit/panel.ts';
import { freePort } from './kit/ports.ts';
import { until } from './kit/until.ts';

const panel = panelCalled('porch', 'Porch panel');
const [toggle, still] = [`switch.${panel.id}_camera_enabled`, `image.${panel.id}_camera_snapshot`];
const flow = '/api/config/config_entries/flow';

const shared = inject('homeAssistant');
let client: HomeClient;
let states: ReadonlyMap<string, EntityState>;
let agent: Agent;
let streamPort: number;

beforeAll(async () => {
  client = await HomeClient.open(shared.url, shared.token);
  states = await client.states();
  streamPort = await freePort();
  agent = await Agent.start({ env: { SCONCE_STREAM_PORT: String(streamPort) } });
  await join(agent, panel, shared.brokerPort);
  await until('the first scan', async () => (await agent.status()).camera.state !== 'absent');
});

afterAll(async () => {
  await agent?.stop();
  client?.close();
});

const stateIs = (id: string, check: (state: string) => boolean): Promise<unknown> =>
  until(`${id} shows it`, () => check(states.get(id)?.state ?? 'missing'));

/** Bytes of a picture that Home Assistant shows. */
async function look(path: string): Promise<Buffer> {
  const answer = await fetch(shared.url + path, { headers: { authorization: `Bearer ${shared.token}` } });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  expect(answer.headers.get('content-type')).toBe('image/jpeg');
  return Buffer.from(await answer.arrayBuffer());
}

const isJpeg = (bytes: Buffer): boolean => bytes.length > 1000 && bytes.readUInt16BE(0) === 0xffd8;

/** The question on the panel's glass, once there is one. */
const question = (): Promise<string> =>
  until('the question', async () => {
    const { shown } = JSON.parse(await agent.text('/api/v1/simulator/approvals')) as {
      readonly shown: { readonly id: string } | null;
    };
    return shown?.id;
  });

/** What Home Assistant's page sends for a camera of its own with that stream. */
const withStream = (port: number) => ({
  stream_source: `rtsp://127.0.0.1:${port}/live`,
  advanced: { framerate: 2, verify_ssl: true, rtsp_transport: 'tcp', authentication: 'basic' },
});

describe('the camera of a panel in Home Assistant', () => {
  it('is off, and its picture away, until a person at the panel agrees', async () => {
    await stateIs(toggle, (state) => state === 'off');
    await stateIs(still, (state) => state === 'unavailable');
    await client.act('switch.turn_on', toggle);
    const id = await question();
    expect((await agent.status()).camera.state).toBe('disabled');
    expect(states.get(toggle)?.state).toBe('off');
    await agent.touch({ approval: id, answer: 'hold' });
    await stateIs(toggle, (state) => state === 'on');
  });

  it('gives a picture, which opens it only when it is looked at', async () => {
    await stateIs(still, (state) => !Number.isNaN(Date.parse(state)));
    expect((await agent.status()).camera).toMatchObject({ state: 'idle', consecutive_failures: 0 });
    const picture = await look(`/api/image_proxy/${still}`);
    expect(isJpeg(picture)).toBe(true);
    // Home Assistant keeps it: the camera is not opened for the same one again.
    await until('it is closed', async () => (await agent.status()).camera.state === 'idle');
    expect((await look(`/api/image_proxy/${still}`)).equals(picture)).toBe(true);
    expect((await agent.status()).camera.state).toBe('idle');
  });

  it('is a Generic Camera by the address of its stream alone', async () => {
    const begun = await client.post<FlowStep>(flow, { handler: 'generic' });
    const shown = await client.post<FlowStep>(`${flow}/${begun.flow_id}`, withStream(streamPort));
    expect(shown.errors ?? {}).toEqual({});
    const made = await client.post<FlowStep>(`${flow}/${begun.flow_id}`, { confirmed_ok: true });
    expect(made.type).toBe('create_entry');
    const camera = await until('there is a camera', () =>
      [...states.keys()].find((id) => id.startsWith('camera.127_0_0_1')),
    );
    // The first still right after the camera was added may fail: Home Assistant has no key frame yet.
    const picture = await until('it has a picture', () => look(`/api/camera_proxy/${camera}`));
    expect(isJpeg(picture)).toBe(true);
    expect((await agent.status()).camera).toMatchObject({ state: 'live', stream_clients: 1, stream_port: streamPort });
  });

  it('is off at once, with its stream and its picture', async () => {
    await client.act('switch.turn_off', toggle);
    await stateIs(toggle, (state) => state === 'off');
    await stateIs(still, (state) => state === 'unavailable');
    await until(
      'it is closed',
      async () => {
        const { state, stream_clients: clients } = (await agent.status()).camera;
        return state === 'disabled' && clients === 0;
      },
      2000,
    );
    expect((await fetch(`${agent.origin}/api/v1/camera/snapshot.jpg`)).status).toBe(503);
  });
});
