import { afterAll, expect, it } from 'vitest';

import type { Surface } from '#machines/companion/events.ts';
import type { PanelMessage } from '#machines/companion/messages.ts';
import type { StatusDocument } from '#machines/status.ts';
import { type Broker, brokerMissing, type Listener, listenTo, startBroker } from '#test/broker/mosquitto.ts';
import { amount } from '#test/fakes/amount.ts';
import { type CompanionClient, connectCompanion, pairCompanion } from '#test/fakes/companion-client.ts';
import { type AgentProcess, clearAway, startAgent } from './agent-process.ts';
import { post, until } from './live-agent.ts';

const CONFIG = 'homeassistant/device/sconce_hall/config';
/** How long a move takes here, and how many kills come within it. */
const MOVE_MS = 2500;
const KILLS = amount(2, 20);

afterAll(clearAway);

const get = async <T>({ url }: AgentProcess, path: string): Promise<T> =>
  (await (await fetch(`${url}/api/v1/${path}`)).json()) as T;

async function pairWith(agent: AgentProcess) {
  await until('the place to ask', async () => (await fetch(`${agent.url}/api/v1/simulator/approvals`)).ok);
  const pairing = await pairCompanion({ port: agent.port });
  pairing.confirm();
  const shown = await until(
    'the question',
    async () => (await get<{ readonly shown: { readonly id: string } | null }>(agent, 'simulator/approvals')).shown,
  );
  await post(`${agent.url}/api/v1/simulator`, { approval: shown.id, answer: 'hold' });
  return pairing.paired();
}

function items({ messages }: CompanionClient): number {
  const last = messages.findLast(
    (message): message is Extract<PanelMessage, { readonly type: 'catalogue' }> => message.type === 'catalogue',
  );
  return last?.items.length ?? -1;
}

/** The one surface that the entities are on; null while they are on none or two. */
async function surfaceOf(agent: AgentProcess, client: CompanionClient, heard: Listener): Promise<Surface | null> {
  const { settings } = await get<{ readonly settings: { readonly entity_surface: Surface } }>(agent, 'config');
  const inForce = (await get<StatusDocument>(agent, 'status')).companion?.surface;
  const isAnnounced = (heard.latest(CONFIG) ?? '') !== '';
  const isOffered = items(client) > 20;
  if (inForce !== settings.entity_surface || isAnnounced === isOffered) return null;
  return isAnnounced === (inForce === 'mqtt') ? inForce : null;
}

it.skipIf(brokerMissing !== null)(
  'a panel that is killed while it moves is on one surface again, whole',
  async () => {
    const broker: Broker = await startBroker();
    const heard = await listenTo(broker.port);
    let agent = await startAgent();
    await post(`${agent.url}/api/v1/config`, { panel_id: 'hall', mqtt_broker: `mqtt://127.0.0.1:${broker.port}` });
    const key = await pairWith(agent);
    const connect = (): Promise<CompanionClient> => connectCompanion({ port: agent.port, key });
    let client = await connect();
    await until('the device', () => (heard.latest(CONFIG) ?? '') !== '');
    const seen: (Surface | null)[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      // oxlint-disable no-await-in-loop -- one kill after another
      const { settings } = await get<{ readonly settings: { readonly entity_surface: Surface } }>(agent, 'config');
      await post(`${agent.url}/api/v1/config`, {
        entity_surface: settings.entity_surface === 'mqtt' ? 'native' : 'mqtt',
      });
      const killAt = Date.now() + ((kill * 7919 + 500) % MOVE_MS);
      await until('the moment', () => Date.now() >= killAt);
      await agent.kill('SIGKILL');
      client.cut();
      agent = await startAgent({ data: agent.data, port: agent.port });
      client = await until('the key', () => connect().catch(() => null));
      seen.push(await until('one surface', () => surfaceOf(agent, client, heard)));
      // oxlint-enable no-await-in-loop
    }
    expect(seen).toHaveLength(KILLS);
    client.cut();
    await agent.kill('SIGTERM');
    await heard.close();
    await broker.close();
  },
  60_000 + KILLS * 30_000,
);
