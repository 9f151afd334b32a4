import { join } from 'node:path';
import { httpSpec } from '#actors/http.ts';
import { liveLogSpec } from '#actors/live-log.ts';
import { inspectorSpec } from '#actors/inspector.ts';
import { streamSpec } from '#actors/stream.ts';
import { httpListener } from '#drivers/http/listener.ts';
import { tailDriver } from '#drivers/log/tail-driver.ts';
import { TEMPORARY } from '#drivers/store/folder.ts';
import { SOCKET_PATH } from '#machines/companion/wire.ts';
import { admit } from '#machines/http/admission.ts';
import { isLanPeer } from '#machines/http/lan-peer.ts';
import { allowedHosts } from '#machines/http/settings.ts';
import type { FirstWiring, PartDeps } from './deps.ts';

const listenerOf = ({ app, early, registry, log, folder, companion }: PartDeps) =>
  httpListener({
    checks: { admit, isLanPeer },
    fetch: (request, bindings) => app.fetch(request, bindings),
    early,
    allowedHosts: () => allowedHosts(String(registry.read('settings')?.context.values['http_allowed_hosts'] ?? '')),
    activeGets: app.isActiveGet,
    whenLoaded: app.whenLoaded,
    maxBodyBytes: app.maxBodyBytes,
    door: { path: SOCKET_PATH, take: companion.take },
    uploads: { folder: join(folder, TEMPORARY), isFor: app.takesFile },
    onHandlerFailure: (code) => log.error('A request was not answered because of a fault in Sconce.', { code }),
  });

/** The parts that serve pages and the API, and feed their live views. */
export const edgeParts: FirstWiring = (deps) => [
  httpSpec({ listener: listenerOf(deps), port: deps.port }),
  streamSpec(),
  liveLogSpec({ tail: tailDriver(deps.log.tail) }),
  ...(deps.inspecting ? [inspectorSpec()] : []),
];
