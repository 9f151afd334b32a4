import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { MoveOutcome, Surface } from '#machines/companion/events.ts';
import type { PanelMessage } from '#machines/companion/messages.ts';
import { type Broker, brokerMissing, type Listener, listenTo, startBroker } from '#test/broker/mosquitto.ts';
import { type CompanionClient, connectCompanion, pairCompanion } from '#test/fakes/companion-client.ts';
import { type LiveAgent, post, refuseMismatch, startLive, statusOf, until } from './live-agent.ts';

const CONFIG = 'homeassistant/device/sconce_hall/config';

let broker: Broker;
let heard: Listener;
let agent: LiveAgent;
let client: CompanionClient;
beforeEach(async () => {
  broker = await startBroker();
  heard = await listenTo(broker.port);
  agent = await startLive();
  await post(`${agent.url}/api/v1/config`, { panel_id: 'hall', mqtt_broker: `mqtt://127.0.0.1:${broker.port}` });
  client = await pair();
  await until('the device', () => (discovery() ?? '') !== '');
});
afterEach(async () => {
  client.cut();
  await agent.close();
  refuseMismatch(agent.lines.join('\n'));
  await heard.close();
  await broker.close();
});

const discovery = (): string | undefined => heard.latest(CONFIG);
const port = (): number => Number(new URL(agent.url).port);
const fetched = async <T>(path: string): Promise<T> => (await (await fetch(`${agent.url}/api/v1/${path}`)).json()) as T;

async function pair(): Promise<CompanionClient> {
  await until('the place to ask', async () => (await fetch(`${agent.url}/api/v1/simulator/approvals`)).ok);
  const pairing = await pairCompanion({ port: port() });
  pairing.confirm();
  const shown = await until(
    'the question',
    async () => (await fetched<{ readonly shown: { readonly id: string } | null }>('simulator/approvals')).shown,
  );
  await post(`${agent.url}/api/v1/simulator`, { approval: shown.id, answer: 'hold' });
  const connected = await connectCompanion({ port: port(), key: await pairing.paired() });
  await connected.untilType('catalogue');
  return connected;
}

async function move(to: Surface, leave = false): Promise<MoveOutcome> {
  const asked = await agent.agent.registry.ask(
    'companion',
    { type: 'companion.move', to, dryRun: false, leave },
    20_000,
  );
  if (!asked.ok) throw new Error(asked.reason);
  return asked.value;
}
const save = (entity_surface: Surface) => post(`${agent.url}/api/v1/config`, { entity_surface });
const inForce = async () => (await statusOf(agent.url)).companion?.surface;
/** The newest catalogue; null before the first. */
function catalogue(): { readonly surface: Surface; readonly items: number } | null {
  const last = client.messages.findLast(
    (message): message is Extract<PanelMessage, { readonly type: 'catalogue' }> => message.type === 'catalogue',
  );
  return last === undefined ? null : { surface: last.surface, items: last.items.length };
}
const available = async (): Promise<readonly string[]> =>
  (await fetched<readonly { readonly group: string; readonly available: boolean }[]>('config/schema'))
    .filter((item) => item.available)
    .map(({ group }) => group);

describe.skipIf(brokerMissing !== null)('moving the whole agent', () => {
  it('leaves nothing at the broker, wants none, and comes back', async () => {
    expect(await move('native')).toMatchObject({ status: 'moved', applied: true, stays: [] });
    expect(discovery()).toBe('');
    await until('the rows', () => (catalogue()?.items ?? 0) > 20);
    expect(await client.set('screen', { on: true })).toMatchObject({ ok: true });
    await until('the end of the link', async () => (await statusOf(agent.url)).mqtt?.phase === 'off');
    const status = await statusOf(agent.url);
    expect([status.platform?.phase, status.platform?.announced.length]).toEqual(['live', catalogue()?.items]);
    expect(JSON.stringify([status.warnings, status.capabilities])).not.toMatch(/broker/i);
    expect(await available()).not.toContain('mqtt');
    // Nothing of the panel is left there, not even that it is away.
    const late = await listenTo(broker.port);
    await late.publish('test/flush', 'x');
    await until('all that is retained', () => late.latest('test/flush') === 'x');
    expect(late.messages.filter(({ topic }) => /sconce/.test(topic))).toEqual([]);
    await late.close();

    expect(await move('mqtt')).toMatchObject({ status: 'moved', applied: true });
    await until('the device again', () => discovery() !== '');
    expect(catalogue()).toEqual({ surface: 'mqtt', items: 0 });
    expect(await client.set('screen', { on: true })).toMatchObject({ ok: false, code: 'other-surface' });
    expect(await available()).toContain('mqtt');
  }, 60_000);

  it('leaves nothing there either if only the setting is saved', async () => {
    await save('native');
    await until('the move', async () => (await inForce()) === 'native');
    expect(discovery()).toBe('');
    await save('mqtt');
    await until('the device again', () => discovery() !== '');
    expect(await inForce()).toBe('mqtt');
  }, 60_000);

  it('changes nothing while the broker is away, unless a person lets the entities stay', async () => {
    await broker.close();
    await until('the loss', async () => (await statusOf(agent.url)).mqtt?.phase !== 'connected');
    expect(await move('native')).toMatchObject({ status: 'refused', code: 'broker-away', topics: [CONFIG] });
    expect([await inForce(), catalogue()?.items]).toEqual(['mqtt', 0]);
    expect(await move('native', true)).toMatchObject({ status: 'moved', stays: [CONFIG] });
    expect(await inForce()).toBe('native');
  }, 60_000);
});
