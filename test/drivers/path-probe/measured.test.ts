import { expect, it } from 'vitest';
import { createActor } from 'xstate';

import { pathProbeSpec } from '#actors/path-probe.ts';
import { datagramWay } from '#drivers/path-probe/datagram.ts';
import { echoes } from '#drivers/path-probe/echoes.ts';
import { pingWay } from '#drivers/path-probe/ping.ts';
import { probeView } from '#machines/path-probe/view.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

it('a way is really measured, from its connection to the status document', { timeout: 30_000 }, async ({ skip }) => {
  const signal = new AbortController().signal;
  const works = await Promise.all([datagramWay(), pingWay()].map((way) => way.works('ipv4', signal)));
  if (!works.includes(true)) skip('skipped: the system gives no ICMP socket and has no ping (iputils-ping)');
  const registry = fakeRegistry({});
  const spec = pathProbeSpec({
    registry,
    driver: echoes({ route: () => ({ address: '127.0.0.1', family: 'ipv4' }) }),
  });
  const actor = createActor(spec.logic, { input: spec.input?.() }).start();
  const probe = () => probeView(actor.getSnapshot().context, Date.now());
  try {
    registry.put(
      'home-assistant',
      { route: { number: 1, family: 'ipv4' }, missed: 0, established: true },
      { running: { link: { held: { attempting: 'live' } } } },
    );
    await expect.poll(() => probe().available, { timeout: 20_000 }).toBe('proven');
    expect(probe()).toMatchObject({ bursts: 1, echoes_sent: 5, echoes_received: 5, loss_percent: 0, state: 'healthy' });
    expect(JSON.stringify(actor.getPersistedSnapshot())).not.toContain('127.0.0.1');
    registry.put('home-assistant', { route: null, missed: 0, established: false }, { running: { link: 'absent' } });
    expect(probe()).toMatchObject({ available: 'unproven', bursts: 0 });
  } finally {
    actor.stop();
  }
});
