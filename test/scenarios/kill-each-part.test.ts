import { Agent as HttpAgent, get } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TreeNode } from '#machines/kit/status.ts';
import { agreedAtPanel } from './agreed-at-panel.ts';
import { post, startLive, statusOf, until, type LiveAgent } from './live-agent.ts';

function find(node: TreeNode, id: string): TreeNode | undefined {
  if (node.kind === 'worker' && node.id === id) return node;
  for (const child of node.children) {
    const found = find(child, id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** One request on a connection of its own: the health line, null where none was answered. */
const healthLine = (url: string): Promise<string | null> =>
  new Promise((resolve) => {
    const request = get(`${url}/health`, { agent: new HttpAgent({ keepAlive: false }), timeout: 900 }, (response) => {
      let line = '';
      response.setEncoding('utf8').on('data', (piece: string) => (line += piece));
      response.on('end', () => resolve(response.statusCode === 200 ? line : null));
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(null));
  });

describe('each part of the registry, killed', () => {
  let live: LiveAgent;
  beforeAll(async () => {
    live = await startLive();
    await until('settled', async () => (await statusOf(live.url)).configuration.revision > 0);
    // So that the parts run that settings turn on.
    await post(`${live.url}/api/v1/config`, {
      ha_url: 'http://127.0.0.1:9',
      auto_brightness: 'true',
      auto_sleep: 'true',
    });
    await agreedAtPanel(live.url, { camera_enabled: true });
    await agreedAtPanel(live.url, { microphone_access: true });
    await post(`${live.url}/api/v1/config`, { voice_enabled: 'true' });
    await until('every part', () =>
      live.agent.registry.ids().every((id) => find(live.agent.tree(), id)?.phase === 'running'),
    );
  });
  afterAll(() => live.close());

  test('there are at least twelve', () => {
    expect(live.agent.registry.ids().length).toBeGreaterThanOrEqual(12);
  });

  test('comes back or is parked with its reason, and HTTP never pauses for a second nor forgets who it is', async () => {
    const lines = new Set<string>();
    const port = new URL(live.url).port;
    const gaps: Record<string, number> = {};
    for (const id of live.agent.registry.ids()) {
      const before = find(live.agent.tree(), id);
      expect(before?.phase, id).toBe('running');
      let last = performance.now();
      let longest = 0;
      live.agent.kill(id);
      expect(find(live.agent.tree(), id)?.reason, id).toBe('killed');
      // oxlint-disable-next-line no-await-in-loop -- one part after another
      await until(`${id} back or parked`, async () => {
        const line = await healthLine(`http://127.0.0.1:${port}`);
        if (line !== null) {
          lines.add(line);
          longest = Math.max(longest, performance.now() - last);
          last = performance.now();
        }
        const node = find(live.agent.tree(), id);
        const settled = node?.phase === 'running' || (node?.phase === 'parked' && node.reason !== null);
        return settled && performance.now() - last < 50 && live.agent.registry.read(id) !== undefined;
      });
      gaps[id] = Math.round(longest);
      expect(longest, `longest gap in HTTP answers while ${id} was killed`).toBeLessThan(1000);
    }
    expect([...lines]).toHaveLength(1);
    const status = await statusOf(live.url);
    expect(status.supervision.phase).toBe('running');
    expect(Object.keys(gaps)).toEqual(live.agent.registry.ids());
  }, 60_000);
});
