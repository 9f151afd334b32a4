import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';

import type { PanelMessage } from '#machines/companion/messages.ts';
import { type CompanionClient, connectCompanion, Ended, pairCompanion } from '#test/fakes/companion-client.ts';
import { type LiveAgent, post, refuseMismatch, startLive, statusOf, until } from './live-agent.ts';

let live: LiveAgent | undefined;
const clients: CompanionClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.cut();
  await live?.close();
  refuseMismatch(live?.lines.join('\n') ?? '');
  live = undefined;
});

interface Shown {
  readonly id: string;
  readonly title: string;
  readonly code: string;
}
type Key = Awaited<ReturnType<Awaited<ReturnType<typeof pairCompanion>>['paired']>>;

const portOf = ({ url }: LiveAgent): number => Number(new URL(url).port);
const statusIn = async ({ url }: LiveAgent) => (await statusOf(url)).companion;

/** The question on the screen of the simulated panel. */
const shownAt = async ({ url }: LiveAgent): Promise<Shown | null> =>
  ((await (await fetch(`${url}/api/v1/simulator/approvals`)).json()) as { readonly shown: Shown | null }).shown;

async function answer(agent: LiveAgent, how: 'hold' | 'deny'): Promise<Shown> {
  const shown = await until('the question', () => shownAt(agent));
  await post(`${agent.url}/api/v1/simulator`, { approval: shown.id, answer: how });
  return shown;
}

/** Pairs as a person does: the digits into Home Assistant, then "Approve" at the panel. */
async function pairWith(agent: LiveAgent): Promise<Key> {
  const pairing = await pairCompanion({ port: portOf(agent) });
  const shown = await until('the question', () => shownAt(agent));
  expect([shown.title, shown.code]).toEqual(['Pair Home Assistant', pairing.agreed.digits]);
  pairing.confirm();
  await answer(agent, 'hold');
  return pairing.paired();
}

async function connect(agent: LiveAgent, key: Key): Promise<CompanionClient> {
  const client = await connectCompanion({ port: portOf(agent), key });
  clients.push(client);
  return client;
}

async function startPanel(more: Parameters<typeof startLive>[0] = {}): Promise<LiveAgent> {
  const agent = await startLive(more);
  live = agent;
  await until('the part', async () => (await statusIn(agent))?.surface === 'mqtt');
  await until('the place to ask', async () => (await fetch(`${agent.url}/api/v1/simulator/approvals`)).ok);
  return agent;
}

const native = (agent: LiveAgent) => post(`${agent.url}/api/v1/config`, { entity_surface: 'native' });
const isCatalogue = (message: PanelMessage): message is Extract<PanelMessage, { readonly type: 'catalogue' }> =>
  message.type === 'catalogue' && message.items.length > 0;
const isState =
  (key: string, passes: (value: unknown) => boolean) =>
  (message: PanelMessage): message is Extract<PanelMessage, { readonly type: 'state' }> =>
    message.type === 'state' && message.k === key && passes(message.v);

describe('Home Assistant without a broker', () => {
  it('is paired by digits and a hold, gets every row, commands them, and tells of itself', async () => {
    const agent = await startPanel();
    const key = await pairWith(agent);
    expect(await statusIn(agent)).toMatchObject({ state: 'waiting', paired: 1, failure: null });
    const client = await connect(agent, key);
    // The broker is in force: there is nothing here, and nothing to command.
    expect(await client.untilType('catalogue')).toMatchObject({ items: [] });
    expect(await client.set('screen', { on: false })).toMatchObject({ ok: false, code: 'other-surface' });

    expect((await native(agent)).status).toBe(200);
    const { items, panel } = await client.until(isCatalogue);
    await client.until(
      (message): message is Extract<PanelMessage, { readonly type: 'synced' }> =>
        message.type === 'synced' && client.messages.indexOf(message) > client.messages.findIndex(isCatalogue),
    );
    expect(panel.id).toBe(client.hello.id);
    expect(items.length).toBeGreaterThan(20);
    const stated = new Set(client.messages.flatMap((message) => (message.type === 'state' ? [message.k] : [])));
    expect(items.filter(({ k }) => !stated.has(k))).toEqual([]);

    expect(await client.set('screen', { on: true, brightness: 77 })).toMatchObject({ ok: true });
    await client.until(isState('screen', (value) => JSON.stringify(value).includes('"brightness":77')));
    expect(await client.set('screen', { effect: 'disco' })).toMatchObject({ ok: false, code: 'not-an-option' });
    expect(await client.set('nothing', true)).toMatchObject({ ok: false, code: 'unknown-entity' });

    const lifecycle = async () => {
      const { home_assistant: facts } = await statusOf(agent.url);
      return `${facts?.lifecycle} ${facts?.lifecycle_source} ${facts?.connection}`;
    };
    expect(await until('a life', async () => (await lifecycle()) === 'normal null closed')).toBe(true);
    client.send({ type: 'phase', phase: 'stopping', reason: 'restart' });
    await until('the notice', async () => (await lifecycle()) === 'shutting_down native closed');
    client.cut();
    await until('the end', async () => (await statusIn(agent))?.state === 'waiting');
    expect(await lifecycle()).toBe('shutting_down native closed');
    const again = await connect(agent, key);
    await until('its return', async () => (await lifecycle()) === 'back_online native closed');
    await again.until(isCatalogue);
  });

  it('is not paired if that is denied at the panel, and no one else comes in', async () => {
    const agent = await startPanel();
    const pairing = await pairCompanion({ port: portOf(agent) });
    pairing.confirm();
    await answer(agent, 'deny');
    await expect(pairing.paired()).rejects.toMatchObject({ refused: { code: 'denied' } });
    await expect(
      connectCompanion({ port: portOf(agent), key: { keyId: '0'.repeat(16), key: '0'.repeat(64) } }),
    ).rejects.toBeInstanceOf(Ended);
    expect(await statusIn(agent)).toMatchObject({ state: 'off', paired: 0, sessions: 0 });
  });

  it('says farewell at a stop, and finds its key after it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sconce-test-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 40, retryDelay: 50 }));
    const agent = await startPanel({ folder });
    const key = await pairWith(agent);
    expect(agent.lines.join('')).not.toContain(key.key);
    expect(JSON.stringify(await statusOf(agent.url))).not.toContain(key.keyId);
    const client = await connect(agent, key);
    await client.untilType('catalogue');
    await agent.close();
    await client.closed;
    expect(client.messages.at(-1)).toEqual({ type: 'bye', reason: 'stopping' });
    const next = await startPanel({ folder });
    await until('the key', async () => (await statusIn(next))?.paired === 1);
    await (await connect(next, key)).untilType('synced');
  });
});
