import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { ResetDocument } from '#machines/reset/document.ts';
import { type Broker, brokerMissing, type Listener, listenTo, startBroker, until } from '#test/broker/mosquitto.ts';
import { type AgentProcess, clearAway, startAgent } from './agent-process.ts';

const CONFIG = 'homeassistant/device/sconce_hall/config';

let broker: Broker;
let heard: Listener;
beforeEach(async () => {
  broker = await startBroker();
  heard = await listenTo(broker.port);
});
afterEach(async () => {
  await heard.close();
  await broker.close();
});
afterAll(clearAway);

async function post(agent: AgentProcess, path: string, body: unknown) {
  const response = await fetch(`${agent.url}/api/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> };
}
const get = async <T>(agent: AgentProcess, path: string): Promise<T> =>
  (await (await fetch(`${agent.url}/api/v1/${path}`)).json()) as T;
const settingsOf = async (agent: AgentProcess): Promise<Readonly<Record<string, unknown>>> =>
  (await get<{ readonly settings: Readonly<Record<string, unknown>> }>(agent, 'config')).settings;
const onDisk = (agent: AgentProcess): string => readFileSync(join(agent.data, 'state.json'), 'utf8');
const discovery = (): string | undefined => heard.latest(CONFIG);

/** A panel that Home Assistant was told of, with settings of its own. */
async function announced(answerMs: number): Promise<AgentProcess> {
  const agent = await startAgent({ env: { SCONCE_TRIAL_MS: `1500,9000,${answerMs}` } });
  const saved = await post(agent, 'config', {
    panel_id: 'hall',
    friendly_name: 'Hall',
    mqtt_broker: `mqtt://127.0.0.1:${broker.port}`,
    mqtt_user: 'somebody',
    mqtt_password: 'hunter2',
  });
  expect(saved.status).toBe(200);
  await until('the device', () => (discovery() ?? '') !== '', 15_000);
  await until('alive', () =>
    [...heard.messages].some(({ topic, payload }) => /\/status\//.test(topic) && payload === 'online'),
  );
  return agent;
}
const again = (agent: AgentProcess): Promise<AgentProcess> => startAgent({ data: agent.data, port: agent.port });
const reset = (agent: AgentProcess, scope: string, more: object = {}) =>
  post(agent, 'setup/reset', { scope, confirm: true, ...more });

describe.skipIf(brokerMissing !== null)('a reset of the whole agent', () => {
  it('empties the discovery topics before a setting is touched, and restarts without the connection', async () => {
    const agent = await announced(300);
    let atWithdrawal = '';
    heard.client.on('message', (topic, payload) => {
      if (topic === CONFIG && payload.length === 0) atWithdrawal ||= onDisk(agent);
    });
    const before = await get<ResetDocument>(agent, 'setup/reset');
    expect(before).toMatchObject({ phase: 'idle', broker: 'connected', last: null });
    expect(before.entities).toBeGreaterThan(5);

    const answered = await reset(agent, 'connection');
    expect(answered).toMatchObject({
      status: 200,
      body: { ok: true, status: 'restarting', scope: 'connection', left_behind: [], removed: { settings: 3 } },
    });
    expect(discovery()).toBe('');
    expect(JSON.parse(atWithdrawal)).toMatchObject({
      sections: { settings: { values: { mqtt_user: 'somebody' } }, secrets: { mqtt_password: 'hunter2' } },
    });
    expect(atWithdrawal).not.toContain('"ordered"');
    expect((await agent.ended).code).toBe(75);

    const restarted = await again(agent);
    expect(await settingsOf(restarted)).toMatchObject({
      mqtt_broker: '',
      mqtt_user: '',
      friendly_name: 'Hall',
      panel_id: 'hall',
    });
    expect(onDisk(restarted)).not.toMatch(/hunter2|somebody/);
    const after = await get<ResetDocument>(restarted, 'setup/reset');
    expect(after).toMatchObject({ phase: 'idle', last: { scope: 'connection', finished: true, left_behind: 0 } });
    const { happened } = await get<{ readonly happened: readonly { readonly sentence: string }[] }>(
      restarted,
      'status',
    );
    expect(happened.map(({ sentence }) => sentence)).toContain(
      'The connection to Home Assistant was reset by a request from this panel.',
    );
    // Nothing of the panel is left on the broker, not even that it is away.
    const late = await listenTo(broker.port);
    await late.publish('test/flush', 'x');
    await until('all that is retained', () => late.latest('test/flush') === 'x');
    expect(late.messages.filter(({ topic }) => /sconce/.test(topic))).toEqual([]);
    await late.close();
  }, 60_000);

  it('is finished by the next start where the agent is killed once it is written down', async () => {
    const agent = await announced(9000);
    expect((await reset(agent, 'everything')).status).toBe(200);
    await agent.kill('SIGKILL');
    expect(onDisk(agent)).toContain('"ordered"');
    const installId = (JSON.parse(onDisk(agent)) as { sections: { identity: { installId: string } } }).sections.identity
      .installId;

    const restarted = await again(agent);
    expect(await settingsOf(restarted)).toMatchObject({ mqtt_broker: '', friendly_name: '', panel_id: '' });
    expect(onDisk(restarted)).toContain(installId);
    expect(onDisk(restarted)).not.toContain('hunter2');
    expect(discovery()).toBe('');
    expect(await get<ResetDocument>(restarted, 'setup/reset')).toMatchObject({
      last: { scope: 'everything', finished: true },
    });
  }, 60_000);

  it('loses nothing where the agent is killed before it is written down', async () => {
    const agent = await announced(300);
    const answer = reset(agent, 'settings').catch(() => null);
    await until('the withdrawal', () => discovery() === '', 10_000);
    await agent.kill('SIGKILL');
    await answer;
    expect(onDisk(agent)).not.toContain('"ordered"');

    const restarted = await again(agent);
    expect(await settingsOf(restarted)).toMatchObject({ friendly_name: 'Hall', mqtt_user: 'somebody' });
    await until('the device again', () => (discovery() ?? '') !== '', 15_000);
  }, 60_000);

  it('without the broker is made only by who says so, and then keeps the panel id with the settings', async () => {
    const agent = await announced(300);
    await broker.kill();
    await until('the loss', () => !heard.client.connected);
    const refused = await reset(agent, 'settings');
    expect([refused.status, refused.body['error']]).toEqual([409, 'entities-left']);
    expect(JSON.stringify(refused.body['reasons'])).toContain(CONFIG);
    expect(await settingsOf(agent)).toMatchObject({ friendly_name: 'Hall', mqtt_user: 'somebody' });

    const made = await reset(agent, 'settings', { without_broker: true });
    expect(made).toMatchObject({ status: 200, body: { entities: 0, left_behind: [CONFIG] } });
    expect((await agent.ended).code).toBe(75);
    const restarted = await again(agent);
    expect(await settingsOf(restarted)).toMatchObject({ friendly_name: '', mqtt_user: '', panel_id: 'hall' });
    expect(await get<ResetDocument>(restarted, 'setup/reset')).toMatchObject({ last: { left_behind: 1 } });
  }, 60_000);
});
