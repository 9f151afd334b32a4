import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';

import { amount } from '#test/fakes/amount.ts';
import { jsonDocument } from '#test/fakes/json-documents.ts';
import { pick, sequence } from '#test/fakes/sequence.ts';
import { brokerMissing, listenTo, startBroker } from '#test/broker/mosquitto.ts';
import { type AgentProcess, clearAway, startAgent } from './agent-process.ts';
import { post, statusOf, until } from './live-agent.ts';

/** What V8 takes by itself on a panel with 512 MB. */
const env = { NODE_OPTIONS: '--max-old-space-size=256' };
const count = amount(200, 20_000);
/** Longest that one of these tests may take, in milliseconds. */
const timeout = amount(60_000, 900_000);
const greedyHome = fileURLToPath(new URL('../network/attacks/greedy-home.mjs', import.meta.url));

async function expectAlive({ url, child }: AgentProcess): Promise<void> {
  expect((await fetch(`${url}/health`)).status).toBe(200);
  expect([child.exitCode, child.signalCode]).toEqual([null, null]);
}

describe('an agent with a heap of 256 MB', () => {
  let homes: ChildProcess[] = [];
  afterEach(async () => {
    for (const home of homes) {
      home.kill('SIGKILL');
      if (home.exitCode === null && home.signalCode === null) await once(home, 'exit');
    }
    homes = [];
  });
  afterAll(clearAway);

  /** A Home Assistant that sends too much; `connections` counts those that it answered in this way. */
  const startHome = async (how: readonly string[]) => {
    const home = spawn(
      process.execPath,
      [greedyHome, JSON.stringify({ host: '127.0.0.1', port: 0, how, bytes: 16_000_000 })],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    homes.push(home);
    let printed = '';
    home.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await until('a Home Assistant', () => printed.includes('listening'));
    return {
      url: `http://127.0.0.1:${/listening (\d+)/.exec(printed)?.[1]}`,
      connections: () => printed.match(/^\d+ \w+$/gm)?.length ?? 0,
    };
  };
  const failureOf = async ({ url }: AgentProcess) => (await statusOf(url)).home_assistant?.failure;

  it('survives what is posted to it', { timeout }, async () => {
    const agent = await startAgent({ env });
    const random = sequence(20_261_124);
    const send = (path: string, body: string) =>
      fetch(`${agent.url}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    for (const body of [
      `{"a":${'['.repeat(3_700_000)}`,
      `{"entity_ids":[${'{},'.repeat(900_000)}{}]}`,
      '[{"a":'.repeat(500_000),
    ]) {
      const response = await send('/api/v1/dashboard/entities/overrides', body);
      expect([response.status, await response.json()]).toMatchObject([400, { error: 'invalid-body' }]);
    }
    for (let round = 0; round < count; round += 1) {
      const path = pick(random, [
        '/api/v1/config',
        '/api/v1/action',
        '/api/v1/play',
        '/api/v1/dashboard/entities/overrides',
      ]);
      const { status } = await send(path, jsonDocument(random, pick(random, [100, 1000, 4000])));
      expect([path, status < 500]).toEqual([path, true]);
    }
    await expectAlive(agent);
    await agent.kill('SIGTERM');
  });

  it.skipIf(brokerMissing !== null)(
    `survives what is published to it (${brokerMissing ?? 'mosquitto'})`,
    { timeout },
    async () => {
      const broker = await startBroker();
      const heard = await listenTo(broker.port);
      const agent = await startAgent({ env });
      await post(`${agent.url}/api/v1/config`, { panel_id: 'hall', mqtt_broker: `mqtt://127.0.0.1:${broker.port}` });
      await until('the screen', () => heard.latest('sconce/hall/screen/state') !== undefined);
      const random = sequence(20_261_124);
      const published: Promise<void>[] = [];
      for (let round = 0; round < count; round += 1) {
        const key = pick(random, ['screen', 'volume', 'brightness', 'refresh']);
        published.push(heard.publish(`sconce/hall/${key}/set`, jsonDocument(random, pick(random, [100, 1000]))));
        // Each waits for its acknowledgement, which the broker delays.
        if (published.length === 25) await Promise.all(published.splice(0));
      }
      await Promise.all(published);
      for (const text of ['['.repeat(4096), '[['.repeat(100_000), `{"state":${'{"a":'.repeat(800)}`])
        await heard.publish('sconce/hall/screen/set', text);
      await heard.publish('sconce/hall/screen/set', '{"state":"ON","brightness":99}');
      await until('the last command', () => heard.latest('sconce/hall/screen/state')?.includes('99'));
      await expectAlive(agent);
      await agent.kill('SIGTERM');
      await heard.close();
      await broker.close();
    },
  );

  it('survives a Home Assistant that sends too much, and stays away from it over a restart', { timeout }, async () => {
    const home = await startHome(
      amount(['deep', 'wide', 'large'], ['deep', 'wide', 'large', 'closed', 'numbers', 'flood']),
    );
    let agent = await startAgent({ env });
    await post(`${agent.url}/api/v1/config`, { ha_url: home.url, ha_token: 'any' });
    await until('the sign-in', async () => (await statusOf(agent.url)).sign_in?.phase === 'signed-in');
    const ask = async (signal?: AbortSignal): Promise<unknown> =>
      (await fetch(`${agent.url}/api/v1/config/home-dashboards`, { ...(signal && { signal }) })).json();
    for (const [index, code] of amount(
      ['deep', 'many', 'large'],
      ['deep', 'many', 'large', 'deep', 'many', 'flood'],
    ).entries()) {
      // A request is answered immediately: nothing of it is read.
      expect(await ask()).toMatchObject({ queried: false });
      expect([home.connections(), await failureOf(agent)]).toEqual([index + 1, expect.stringContaining(code)]);
      await ask();
      expect(home.connections()).toBe(index + 1);
      await expectAlive(agent);
      await fetch(`${agent.url}/api/v1/status?refresh=1`);
    }
    const tries = home.connections();
    await ask();
    const { home_assistant: before } = await statusOf(agent.url);
    expect([home.connections(), (before?.parked_until ?? 0) > Date.now()]).toEqual([tries + 1, true]);
    await agent.kill('SIGTERM');

    agent = await startAgent({ env, data: agent.data });
    await until('the sign-in', async () => (await statusOf(agent.url)).sign_in?.phase === 'signed-in');
    expect(await ask()).toMatchObject({ queried: false });
    const { home_assistant: after, warnings } = await statusOf(agent.url);
    expect([home.connections(), after?.parked_until]).toEqual([tries + 1, before?.parked_until]);
    expect(warnings).toContainEqual(expect.stringMatching(/^Home Assistant sent .*"Check again" tries at once\.$/));

    // Another Home Assistant is asked at once, and so is this one when a person wants it.
    const other = await startHome(['truncated']);
    await post(`${agent.url}/api/v1/config`, { ha_url: other.url, ha_token: 'any' });
    await until('the other one', async () => {
      // It never gives an answer, and the sign-in may still be at the one before.
      await ask(AbortSignal.timeout(200)).catch(() => {});
      return other.connections() > 0;
    });
    await expectAlive(agent);
    await agent.kill();
  });
});
