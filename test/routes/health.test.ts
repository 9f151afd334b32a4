import { describe, expect, it } from 'vitest';

import { initialFacts } from '#machines/home-assistant/facts.ts';
import { createApp } from '#routes/app.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';

/** Two pings that nothing answered, 10 s apart, after one that was answered. */
const cut = {
  ...initialFacts({ settleMs: 0 }),
  established: true,
  lastAnsweredAt: 600_000,
  samples: [
    { kind: 'round-trip', at: 600_000, ms: 12 },
    { kind: 'network-failure', at: 610_000 },
    { kind: 'network-failure', at: 620_000 },
  ],
};
const held = { running: { link: { held: { attempting: 'live' } } } };

describe('the network on the health line', () => {
  it.each([
    ['as it was', 1_700_000_000_000],
    ['set back by a year', 1_668_000_000_000],
    ['set ahead by a year', 1_732_000_000_000],
  ])('is what was measured with the clock %s', async (_, now) => {
    const deps = fakeDeps({ now: () => now, elapsed: () => 620_500.4 }, { ...settledFacts(), 'home-assistant': cut });
    deps.registry.put('home-assistant', cut, held);
    const app = createApp(deps);
    const answer = await app.fetch(new Request('http://panel.invalid/health'), {});
    expect(await answer.text()).toContain(
      ' ha_net=severe ha_resp=healthy ha_net_p95=12 ha_net_n=3 ha_net_miss=2 ha_net_age=20500',
    );
    const status = await app.fetch(new Request('http://panel.invalid/api/v1/status'), {});
    expect(await status.json()).toMatchObject({ ha_network: { state: 'severe', last_round_trip_age_ms: 20_500 } });
  });
});
