import { expect, it } from 'vitest';

import { createApp } from '#routes/app.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';

const queries: Readonly<Record<string, string>> = {
  '/api/v1/config/probe-broker': '?url=mqtt://192.0.2.7',
  '/api/v1/config/probe-home-assistant': '?url=http://192.0.2.7:8123',
  '/api/v1/status': '?refresh=1',
};

const paths = createApp(fakeDeps({}, settledFacts()))
  .table.filter(
    ({ method, guard, activeQuery }) => method === 'get' && (guard === 'active' || activeQuery !== undefined),
  )
  .map(({ path }) => path);

it.each(paths)('HEAD of %s starts nothing', async (path) => {
  const deps = fakeDeps({}, settledFacts());
  const app = createApp(deps);
  const url = `http://panel.invalid${path.replaceAll(/\{\w+\}/g, 'laptop-tablet')}${queries[path] ?? ''}`;
  const response = await app.fetch(new Request(url, { method: 'HEAD' }), { peer: '127.0.0.1' });
  expect([deps.registry.told, await response.text()]).toEqual([[], '']);
  expect([200, 204, 404]).toContain(response.status);
});

it('that was asked of every GET that starts work', () => expect(paths.length).toBeGreaterThan(9));
