import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Home } from './home-assistant/home.ts';
import { Agent } from './kit/agent.ts';
import { Broker } from './kit/broker.ts';
import { until } from './kit/until.ts';

let broker: Broker;
let home: Home;
let agent: Agent;

/**
 * The commands of the README, with a voice that needs no network; the token comes with the call, as it does not exist
 * before the start.
 */
const speaking = (panel: string) => (url: string) =>
  `
tts:
  - platform: demo
rest_command:
  hall_panel_speech:
    url: "${url}/api/tts_get_url"
    method: post
    headers:
      authorization: "Bearer {{ token }}"
    content_type: application/json
    payload: '{"engine_id": "demo", "message": {{ message | tojson }}}'
  hall_panel_play:
    url: "${panel}/play"
    method: post
    payload: "{{ url }}"
script:
  hall_panel_say:
    sequence:
      - action: rest_command.hall_panel_speech
        data:
          message: "{{ message }}"
          token: "{{ token }}"
        response_variable: speech
      - action: rest_command.hall_panel_play
        data:
          url: "${url}{{ speech.content.path }}"
`;

beforeAll(async () => {
  agent = await Agent.start();
  broker = await Broker.start({ panel: 'panel-password', home: 'home-password', observer: 'observer-password' });
  home = await Home.start(
    { port: broker.port, username: 'home', password: broker.passwordOf('home') },
    { more: speaking(`http://127.0.0.1:${agent.port}`) },
  );
});

afterAll(async () => {
  await agent?.stop();
  await home?.stop();
  await broker?.stop();
});

describe('speech of Home Assistant', () => {
  it('is played by the panel with the two commands of the README', async () => {
    const client = await home.client();
    const token = await client.call<string>('auth/long_lived_access_token', {
      client_name: 'announcements',
      lifespan: 1,
    });
    await client.call('call_service', {
      domain: 'script',
      service: 'hall_panel_say',
      service_data: { message: 'Dinner is "ready"', token },
    });
    const announcement = await until('it was played', async () => {
      const { announcement: now } = await agent.status();
      return now !== null && now.generation === 1 && (now.phase === 'idle' || now.phase === 'failed') && now;
    });
    expect(announcement).toMatchObject({ phase: 'idle', reason: null });
  });
});
