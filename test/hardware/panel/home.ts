import { type FakeAssist, withAssist } from '#test/fakes/assist-server.ts';
import { json, startFakeHomeAssistant } from '#test/drivers/sign-in/fake-home-assistant.ts';

/** A small Home Assistant on the guest's loopback, whose Assist does what a case says. */
export interface GuestHome extends FakeAssist {
  readonly origin: string;
  readonly stop: () => Promise<void>;
}

/** Results of commands; of any other it is null. */
const results = new Map<unknown, unknown>([
  ['get_config', { state: 'RUNNING', version: '2026.11.0', latitude: 52, longitude: 5, time_zone: 'UTC' }],
  ['get_states', []],
  ['auth/current_user', { id: '0123456789abcdef0123456789abcdef', name: 'Panel', is_admin: false, is_owner: false }],
  ['config/device_registry/list', []],
  [
    'assist_pipeline/pipeline/list',
    {
      preferred_pipeline: 'p1',
      pipelines: [{ id: 'p1', name: 'Home', stt_engine: 'stt.one', tts_engine: 'tts.one', language: 'en' }],
    },
  ],
]);

export async function startHome(): Promise<GuestHome> {
  const home = await startFakeHomeAssistant();
  home.answer = (_, response) => json(response, 200, { message: 'API running.' });
  const assist = withAssist(home, ({ id, type }, socket) => {
    const send = (message: unknown): void => socket.send(JSON.stringify(message));
    if (type === 'auth') send({ type: 'auth_ok', ha_version: '2026.11.0' });
    else if (type === 'ping') send({ id, type: 'pong' });
    else send({ id, type: 'result', success: true, result: results.get(type) ?? null });
  });
  return Object.assign(assist, { origin: home.origin, stop: home.stop });
}
