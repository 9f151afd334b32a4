import { createActor, type AnyActorRef } from 'xstate';

import { httpSpec } from '#actors/http.ts';
import { cleanupsOf } from '#drivers/kit/cleanups.ts';
import { httpListener, type ListenerDeps } from '#drivers/http/listener.ts';
import { admit } from '#machines/http/admission.ts';
import { isLanPeer } from '#machines/http/lan-peer.ts';
import type { HttpContext } from '#machines/http/events.ts';
import type { Endpoint } from '#test/network/wire.ts';

/** A web server started for one test. */
export interface Serving extends Endpoint {
  readonly actor: AnyActorRef;
  readonly context: () => HttpContext;
  readonly value: () => unknown;
  readonly stop: () => Promise<void>;
}

/** Resolves when the condition holds; fails after five seconds. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const last = Date.now() + 5000;
  while (!condition()) {
    if (Date.now() > last) throw new Error(`not within 5 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Starts the machine with the real listener on the loopback and a free port, without waiting for it. */
export function begin(deps: Partial<ListenerDeps>, port = 0): Serving {
  const spec = httpSpec({
    listener: httpListener({
      checks: { admit, isLanPeer },
      fetch: () => new Response('fine'),
      allowedHosts: () => ['panel.example.org'],
      activeGets: (path) => path === '/active',
      maxBodyBytes: (method) => (method === 'GET' ? 0 : 64),
      addresses: ['127.0.0.1'],
      ownPrefixes: () => [],
      ...deps,
    }),
    port,
  });
  const actor: AnyActorRef = createActor(spec.logic, { input: spec.input?.() });
  actor.start();
  const context = (): HttpContext => actor.getSnapshot().context;
  return {
    actor,
    context,
    value: () => actor.getSnapshot().value,
    address: '127.0.0.1',
    get port() {
      return context().port;
    },
    plain: '/plain',
    active: '/active',
    write: { path: '/write', body: '{}' },
    allowedHost: 'panel.example.org',
    stop: async () => {
      if (actor.getSnapshot().status === 'active') actor.send({ type: 'http.stop' });
      await cleanupsOf(actor.system).settled();
    },
  };
}

/** Starts it and waits until it listens. */
export async function serve(deps: Partial<ListenerDeps> = {}, port = 0): Promise<Serving> {
  const serving = begin(deps, port);
  await until(() => serving.context().port > 0, 'listening');
  return serving;
}
