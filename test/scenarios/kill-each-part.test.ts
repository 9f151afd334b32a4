import { Agent as HttpAgent, get } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TreeNode } from '#machines/kit/status.ts';
import { startLive, statusOf, until, type LiveAgent } from './live-agent.ts';

const find = (node: TreeNode, id: string): TreeNode | undefined => {
  if (node.kind === 'worker' && node.id === id) return node;
  for (const child of node.children) {
    const found = find(child, id);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** One request on a connection of its own; whether it was answered 200. */
const healthy = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const request = get(`${url}/health`, { agent: new HttpAgent({ keepAlive: false }), timeout: 900 }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode === 200));
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });

describe('each part of the registry, killed', () => {
  let live: LiveAgent;
  beforeAll(async () => {
    live = await startLive();
    await until('settled', async () => (await statusOf(live.url)).configuration.revision > 0);
  });
  afterAll(() => live.close());

  test('there are at least twelve', () => {
    expect(live.agent.registry.ids().length).toBeGreaterThanOrEqual(12);
  });

  test('comes back or is parked with its reason, and HTTP never pauses for a second', async () => {
    const port = new URL(live.url).port;
    const gaps: Record<string, number> = {};
    for (const id of live.agent.registry.ids()) {
      const before = find(live.agent.status().supervision, id);
      expect(before?.phase, id).toBe('running');
      let last = performance.now();
      let longest = 0;
      live.agent.kill(id);
      expect(find(live.agent.status().supervision, id)?.reason, id).toBe('killed');
      // oxlint-disable-next-line no-await-in-loop -- one part after another
      await until(`${id} back or parked`, async () => {
        if (await healthy(`http://127.0.0.1:${port}`)) {
          longest = Math.max(longest, performance.now() - last);
          last = performance.now();
        }
        const node = find(live.agent.status().supervision, id);
        const settled = node?.phase === 'running' || (node?.phase === 'parked' && node.reason !== null);
        return settled && performance.now() - last < 50 && live.agent.registry.read(id) !== undefined;
      });
      gaps[id] = Math.round(longest);
      expect(longest, `longest gap in HTTP answers while ${id} was killed`).toBeLessThan(1000);
    }
    const status = await statusOf(live.url);
    expect(status.supervision.phase).toBe('running');
    expect(Object.keys(gaps)).toEqual(live.agent.registry.ids());
  }, 60_000);
});
