import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { HomeClient } from './home-assistant/client.ts';
import { Agent } from './kit/agent.ts';
import { until } from './kit/until.ts';

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

describe('speech of Home Assistant', () => {
  it('is played by the panel with the two commands of the README', async () => {
    const token = await client.call<string>('auth/long_lived_access_token', {
      client_name: 'announcements',
      lifespan: 1,
    });
    await client.call('call_service', {
      domain: 'script',
      service: 'hall_panel_say',
      service_data: { message: 'Dinner is "ready"', token, panel: agent.origin },
    });
    const announcement = await until('it was played', async () => {
      const { announcement: now } = await agent.status();
      return now !== null && now.generation === 1 && (now.phase === 'idle' || now.phase === 'failed') && now;
    });
    expect(announcement).toMatchObject({ phase: 'idle', reason: null });
  });
});
