import { afterAll, expect, test } from 'vitest';

import { clearAway, startAgent } from './agent-process.ts';

afterAll(clearAway);

test('SIGTERM ends an agent in order, with status 0, within five seconds, viewers and all', async () => {
  const agent = await startAgent();
  const viewer = await fetch(`${agent.url}/api/v1/events`);
  const reader = viewer.body?.getReader();
  await reader?.read();
  const begun = performance.now();
  expect(await agent.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(performance.now() - begun).toBeLessThan(5000);
  await reader?.cancel().catch(() => {});
});
