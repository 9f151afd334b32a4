import { expect, it } from 'vitest';

import { UpdatesDocument } from '#machines/updates/status.ts';
import { createApp } from '#routes/app.ts';
import { fakeDeps } from '#test/fakes/route-deps.ts';

const ask = (deps: ReturnType<typeof fakeDeps>): Promise<Response> =>
  Promise.resolve(
    createApp(deps).fetch(new Request('http://panel.invalid/api/v1/updates/check', { method: 'POST' }), {}),
  );

it('has the panel ask, and answers at once that it does', async () => {
  const deps = fakeDeps();
  deps.registry.put('updates', { askedAt: 5, outcome: null }, 'asking');
  const response = await ask(deps);
  expect(response.status).toBe(202);
  expect(UpdatesDocument().parse(await response.json())).toMatchObject({ state: 'asking', asked_at: 5 });
  expect(deps.registry.told).toEqual([{ id: 'updates', event: { type: 'updates.ask', at: expect.any(Number) } }]);
});

it('is asked of nobody while its part restarts or the agent stops', async () => {
  const away = fakeDeps();
  away.registry.put('updates', undefined);
  expect((await ask(away)).status).toBe(503);
  const stopping = fakeDeps({ stopping: () => true });
  expect((await ask(stopping)).status).toBe(503);
  expect(stopping.registry.told).toEqual([]);
});
