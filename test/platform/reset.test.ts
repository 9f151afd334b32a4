import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { HomeClient } from './home-assistant/client.ts';
import { Agent } from './kit/agent.ts';
import { join, panelCalled } from './kit/panel.ts';
import { until } from './kit/until.ts';

const panel = panelCalled('study', 'Study panel');
const device = `sconce_${panel.id}`;
const shared = inject('homeAssistant');
let client: HomeClient;
let agent: Agent;

beforeAll(async () => {
  client = await HomeClient.open(shared.url, shared.token);
  agent = await Agent.start();
});
afterAll(async () => {
  await agent?.stop();
  client?.close();
});

const entries = async (): Promise<readonly string[]> =>
  (await client.mqttEntities()).map(({ unique_id: id }) => id).filter((id) => id.startsWith(`${device}_`));

it('a reset takes the device and all of its entities out of Home Assistant, and it comes back with its id', async () => {
  await join(agent, panel, shared.brokerPort);
  await until('the entities are there', async () => (await entries()).length >= panel.always.length);
  const before = await entries();

  const { code, text } = await agent.post('/api/v1/setup/reset', { scope: 'settings', confirm: true });
  expect([code, text]).toEqual([200, expect.stringContaining('"left_behind":[]')]);
  // While the panel still has all of its settings: they go with the restart.
  await until('Home Assistant has forgotten them', async () => (await entries()).length === 0);
  expect(await client.devices(device)).toEqual([]);

  await until('the agent has ended', () => !agent.runs);
  await agent.startAgain();
  expect(await client.devices(device)).toEqual([]);
  await join(agent, { ...panel, name: 'Study again' }, shared.brokerPort);
  await until('the entities are back', async () => (await entries()).length >= before.length);
  expect((await entries()).toSorted()).toEqual(before.toSorted());
  expect((await client.devices(device))[0]?.name).toBe('Study again');
});
