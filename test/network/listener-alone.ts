import { createActor } from 'xstate';

import { httpSpec } from '#actors/http.ts';
import { cleanupsOf } from '#drivers/kit/cleanups.ts';
import { admit } from '#machines/http/admission.ts';
import { isLanPeer } from '#machines/http/lan-peer.ts';
import { httpListener } from '#drivers/http/listener.ts';

// The real listener with its real look at the interfaces, and a handler that answers with the peer it was told of.
const { logic, input } = httpSpec({
  listener: httpListener({
    checks: { admit, isLanPeer },
    fetch: (_, { peer }) => new Response(peer),
    allowedHosts: () => [],
    activeGets: () => false,
    maxBodyBytes: () => 64,
  }),
  port: Number(process.argv[2]),
});
const actor = createActor(logic, { input: input?.() });
actor.start();
process.on('SIGTERM', () => {
  actor.send({ type: 'http.stop' });
  void cleanupsOf(actor.system)
    .settled()
    .then(() => process.exit(0));
});
