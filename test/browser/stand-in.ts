// As in the agent, before the library, which keeps the globals that it finds: files that share a process share them.
import '#drivers/http/light-fetch.ts';
import { serve } from '@hono/node-server';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openAssets } from '#bin/assets.ts';
import { readBundles } from '#bin/build-facts.ts';
import { createApp } from '#routes/app.ts';
import type { FakeRegistry } from '#test/fakes/registry.ts';
import { fakeDeps } from '#test/fakes/route-deps.ts';

/** The pages of a panel whose actors are fixed facts. */
export interface StandIn {
  readonly port: number;
  readonly registry: FakeRegistry;
  readonly stop: () => Promise<void>;
}

const dist = fileURLToPath(new URL('../../dist', import.meta.url));

/** Serves every page and route over a registry that `prepare` fills, with the assets that the build made. */
export async function startStandIn(prepare: (registry: FakeRegistry) => void): Promise<StandIn> {
  const deps = fakeDeps({
    assets: openAssets(join(dist, 'assets.pack')),
    bundles: readBundles(join(dist, 'pages.json')),
    now: () => Date.now(),
  });
  prepare(deps.registry);
  const app = createApp(deps);
  const server = serve({ fetch: (request) => app.fetch(request, {}), hostname: '127.0.0.1', port: 0 });
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : -1,
    registry: deps.registry,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}
