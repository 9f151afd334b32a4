import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { TreeNode } from '#machines/kit/status.ts';
import type { StatusDocument } from '#machines/status.ts';
import { clearAway, startAgent } from './agent-process.ts';
import { post, startLive, statusOf, until } from './live-agent.ts';

const greedyHome = fileURLToPath(new URL('../network/attacks/greedy-home.mjs', import.meta.url));
const chunkName = 'bin-parts-home-assistant.js';

const find = (node: TreeNode, id: string): TreeNode | undefined =>
  node.id === id && node.kind === 'worker'
    ? node
    : node.children.map((child) => find(child, id)).find((found) => found !== undefined);
function phaseIn({ supervision }: Pick<StatusDocument, 'supervision'>, id = 'home-assistant') {
  const node = find(supervision, id);
  return node?.off === true ? 'off' : node?.phase;
}
const homeIn = ({ home_assistant: home, ha_network: network, capabilities }: StatusDocument) => ({
  home,
  network,
  capabilities: capabilities.map(({ id }) => id),
});

describe('the connection to Home Assistant, which the address turns on', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-switched-'));
  let home: ChildProcess | null = null;
  afterEach(async () => {
    home?.kill('SIGKILL');
    if (home !== null && home.exitCode === null && home.signalCode === null) await once(home, 'exit');
    home = null;
  });
  afterAll(() => {
    clearAway();
    rmSync(folder, { recursive: true, force: true });
  });
  const codeIn = (
    name: string,
  ): { readonly env: Readonly<Record<string, string>>; readonly read: () => readonly string[] } => {
    const kept = join(folder, name);
    mkdirSync(kept);
    return { env: { SCONCE_KEEP_CODE: kept }, read: () => readdirSync(kept) };
  };

  it('is loaded and works once an address is saved, and is gone without one', async () => {
    const how = JSON.stringify({ host: '127.0.0.1', port: 0, how: ['wide'], bytes: 10_000 });
    home = spawn(process.execPath, [greedyHome, how], { stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    home.stdout?.on('data', (text: Buffer) => (printed += text.toString()));
    await until('a Home Assistant', () => printed.includes('listening'));
    const address = `http://127.0.0.1:${/listening (\d+)/.exec(printed)?.[1]}`;
    const connections = (): number => printed.match(/^\d+ \w+$/gm)?.length ?? 0;

    const on = codeIn('on');
    const agent = await startAgent({ env: on.env });
    const ask = async (): Promise<unknown> => (await fetch(`${agent.url}/api/v1/config/home-dashboards`)).json();
    const traffic = async (): Promise<unknown> =>
      (await fetch(`${agent.url}/api/v1/dashboard/entities/traffic`)).json();
    const off = await until('the part to be off', async () => {
      const status = await statusOf(agent.url);
      return phaseIn(status) === 'off' && status;
    });
    expect(off.home_assistant).toMatchObject({ connection: 'closed', reasons: [], failure: null });
    expect(await ask()).toMatchObject({ queried: false });
    expect(await traffic()).toMatchObject({ error: 'traffic-unavailable' });

    await post(`${agent.url}/api/v1/config`, { ha_url: address, ha_token: 'any' });
    await until('the part to run', async () => phaseIn(await statusOf(agent.url)) === 'running');
    await until('the sign-in', async () => (await statusOf(agent.url)).sign_in?.phase === 'signed-in');
    const before = connections();
    await ask();
    expect(connections()).toBeGreaterThan(before);

    await post(`${agent.url}/api/v1/config`, { ha_url: '' });
    const again = await until('the part to be gone', async () => {
      const status = await statusOf(agent.url);
      return phaseIn(status) === 'off' && status;
    });
    expect(homeIn(again)).toEqual(homeIn(off));
    const tried = connections();
    expect([await ask(), connections()]).toEqual([expect.objectContaining({ queried: false }), tried]);
    await agent.kill('SIGTERM');
    expect(on.read()).toContain(chunkName);

    const without = codeIn('off');
    const next = await startAgent({ env: without.env, data: agent.data });
    await until('the part to be off', async () => phaseIn(await statusOf(next.url)) === 'off');
    await next.kill('SIGTERM');
    expect(without.read()).toContain('core.js');
    expect(without.read()).not.toContain(chunkName);
  });

  it('ends as it was saved last however often that changes, and comes back when it crashes', async () => {
    const live = await startLive();
    try {
      const save = (url: string): Promise<Response> => post(`${live.url}/api/v1/config`, { ha_url: url });
      const phase = (id?: string) => phaseIn({ supervision: live.agent.tree() }, id);
      await until('the part to be off', () => phase() === 'off');
      const statuses: number[] = [];
      for (let n = 0; n < 30; n += 1) {
        // oxlint-disable-next-line no-await-in-loop -- one save after another
        statuses.push((await save(n % 2 === 0 ? `http://127.0.0.1:${9 + n}` : '')).status);
      }
      expect(new Set(statuses)).toEqual(new Set([200]));
      await until('the part to be off again', () => phase() === 'off');
      expect(live.agent.registry.read('home-assistant')).toBeUndefined();
      await save('http://127.0.0.1:9');
      await until('the part to run', () => phase() === 'running');
      live.agent.kill('home-assistant');
      expect(phase()).toBe('restarting');
      expect((await statusOf(live.url)).home_assistant).toBeNull();
      await until('the part to be back', () => phase() === 'running');
      // An agent that leaves the network alone says so, whatever is set.
      await post(`${live.url}/api/v1/config`, { mqtt_broker: 'mqtt://127.0.0.1:9' });
      expect(await (await fetch(`${live.url}/api/v1/diag`)).text()).toContain(
        '[finder] state=off count=0 failure=none',
      );
    } finally {
      await live.close();
    }
  });
});
