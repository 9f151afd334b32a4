import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { AnyRow } from '#machines/kit/entity.ts';
import { fact, factsWorker, identityFacts, startAgent, type TestAgent } from '#test/broker/agent.ts';
import { type EntityState, HomeClient } from './home-assistant/client.ts';
import { passwords } from './kit/broker.ts';
import { until } from './kit/until.ts';

const PANEL = 'easel';
const ID = `image.${PANEL}_still`;
const PATH = '/api/still.jpg';

/** A picture that the actor `panel` has while it is on. */
const row: AnyRow = {
  entityKind: 'image',
  key: 'still',
  name: 'Still',
  icon: 'mdi:camera',
  actor: 'panel',
  available: (snapshot) => fact(snapshot, 'on') === true,
  read: (snapshot) => (fact(snapshot, 'on') === true ? { path: PATH, sequence: Number(fact(snapshot, 'load')) } : null),
};

const shared = inject('homeAssistant');
const asked: IncomingMessage[] = [];
let client: HomeClient;
let states: ReadonlyMap<string, EntityState>;
let server: Server;
let agent: TestAgent;

beforeAll(async () => {
  client = await HomeClient.open(shared.url, shared.token);
  states = await client.states();
  server = createServer((request, answer) => {
    asked.push(request);
    answer.setHeader('content-type', 'image/jpeg').end(`picture ${asked.length}`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server always has an AddressInfo; null and string are for pipes and closed servers.
  const { port } = server.address() as AddressInfo;
  agent = startAgent({
    port: shared.brokerPort,
    user: 'panel',
    password: () => passwords.panel,
    panelId: PANEL,
    rows: [row],
    workers: () => [factsWorker('readings', { reading: { address: '127.0.0.1' } }), factsWorker('http', { port })],
  });
});

afterAll(async () => {
  await agent?.stop();
  server?.close();
  client?.close();
});

/** Bytes that Home Assistant shows of it, as text. */
async function look(): Promise<string> {
  const answer = await fetch(`${shared.url}/api/image_proxy/${ID}`, {
    headers: { authorization: `Bearer ${shared.token}` },
  });
  if (!answer.ok) throw new Error(`no picture: ${answer.status}`);
  return answer.text();
}

const stateIs = (what: string, check: (state: string) => boolean): Promise<string> =>
  until(`${ID} ${what}`, () => {
    const state = states.get(ID)?.state;
    return state !== undefined && check(state) && state;
  });

const isTime = (state: string): boolean => !Number.isNaN(Date.parse(state));

describe('a picture of the panel in Home Assistant', () => {
  it('is fetched from the panel by Home Assistant itself, once, and only when it is looked at', async () => {
    await stateIs('has a picture', isTime);
    expect(asked).toHaveLength(0);
    expect(await look()).toBe('picture 1');
    expect(await look()).toBe('picture 1');
    expect(asked).toHaveLength(1);
    expect(asked[0]?.url).toBe(PATH);
    expect(asked[0]?.headers['user-agent']).toMatch(/^HomeAssistant\//);
    expect(Object.keys(asked[0]?.headers ?? {})).not.toContain('origin');
  });

  it('is fetched again once there is another one under the same URL', async () => {
    const before = states.get(ID)?.state;
    agent.put('panel', { load: 8 });
    await stateIs('has another picture', (state) => isTime(state) && state !== before);
    expect(await look()).toBe('picture 2');
  });

  it('is still there after the panel was announced with another name', async () => {
    const before = states.get(ID)?.state;
    agent.put('identity', { ...identityFacts(PANEL, 'a'.repeat(32)), friendlyName: 'Easel' });
    await until('the name is there', async () =>
      (await client.devices(`sconce_${PANEL}`)).some(({ name }) => name === 'Easel'),
    );
    await stateIs('has its picture again', (state) => isTime(state) && state !== before);
    expect(await look()).toBe('picture 3');
  });

  it('is away while the panel has none, and another one once it is back', async () => {
    agent.put('panel', { on: false });
    await stateIs('is away', (state) => state === 'unavailable');
    agent.put('panel', { on: true });
    await stateIs('is back', isTime);
    expect(await look()).toBe('picture 4');
  });

  it('leaves no line in the log of Home Assistant', async () => {
    const lines = await client.mqttLog();
    expect(lines.filter(({ message }) => message.join().includes(PANEL) || message.join().includes('URL'))).toEqual([]);
  });
});
