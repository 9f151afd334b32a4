import { describe, expect, it } from 'vitest';

import { healthTokens } from '#machines/home-assistant/health-tokens.ts';
import type { Lifecycle } from '#machines/home-assistant/lifecycle.ts';
import type { NetworkFacts, PathSample, SocketStanding } from '#machines/home-assistant/network.ts';

const NOW = 1_700_000_000_000;
const answered = (at: number): PathSample => ({ kind: 'round-trip', at, ms: 12 });
const missed = (at: number): PathSample => ({ kind: 'network-failure', at });
/** Thirty probes of five minutes; those of the given numbers went unanswered. */
const probes = (...misses: readonly number[]): readonly PathSample[] =>
  Array.from({ length: 30 }, (_, index) => (misses.includes(index) ? missed : answered)(NOW - (29 - index) * 10_000));

/** What became of the probes, and the tokens that the contract has for it. */
const losses = [
  ['nothing lost', probes(), 'healthy', 0],
  ['one miss', probes(29), 'healthy', 1],
  ['two misses apart', probes(3, 20), 'warning', 2],
  ['two misses in a row', probes(28, 29), 'severe', 2],
] as const;
const yesOrNo = [false, true] as const;

interface World {
  readonly credentials: boolean;
  readonly need: boolean;
  readonly connected: boolean;
  readonly settling: boolean;
  readonly reEstablishing: boolean;
  readonly gaveUp: boolean;
}

const worlds = yesOrNo.flatMap((credentials) =>
  yesOrNo.flatMap((need) =>
    yesOrNo.flatMap((connected) =>
      yesOrNo.flatMap((settling) =>
        yesOrNo.flatMap((reEstablishing) =>
          yesOrNo.map((gaveUp): World => ({ credentials, need, connected, settling, reEstablishing, gaveUp })),
        ),
      ),
    ),
  ),
);

/** How a socket stands in such a world. */
function standingIn(world: World): SocketStanding {
  if (!world.credentials || !world.need || world.gaveUp) return 'absent';
  if (world.connected) return 'live';
  return world.reEstablishing ? 're-establishing' : 'absent';
}

/** Rules 1 to 3 of the contract: what takes the tokens away. */
const absences: readonly (readonly [rule: string, applies: (world: World) => boolean])[] = [
  ['no credentials', (world) => !world.credentials],
  ['nothing needs the socket', (world) => !world.need],
  ['the connection gave up', (world) => world.gaveUp],
  ['it was never connected and signed in', (world) => !world.connected && !world.reEstablishing],
];

describe('the health line', () => {
  for (const [loss, samples, verdict, misses] of losses)
    it(`says what the contract demands in each of ${worlds.length} worlds, with ${loss}`, () => {
      expect(worlds).toHaveLength(64);
      for (const world of worlds) {
        const network: NetworkFacts = {
          standing: standingIn(world),
          settling: world.settling,
          samples,
          lastAnsweredAt: NOW - 812,
          lastProbedAt: NOW,
        };
        const absence = absences.find(([, applies]) => applies(world));
        const full = ` ha_net=${verdict} ha_resp=healthy ha_net_p95=12 ha_net_n=30 ha_net_miss=${misses} ha_net_age=812`;
        const expected = absence ? '' : world.settling ? ' ha_net=settling' : full;
        expect(healthTokens({ network, lifecycle: null }, NOW), JSON.stringify({ ...world, absence })).toBe(expected);
      }
    });

  const live: NetworkFacts = {
    standing: 'live',
    settling: false,
    samples: [],
    lastAnsweredAt: null,
    lastProbedAt: null,
  };

  it('writes a healthy verdict and -1 while nothing was answered', () => {
    expect(healthTokens({ network: live, lifecycle: null }, NOW)).toBe(
      ' ha_net=healthy ha_resp=healthy ha_net_p95=-1 ha_net_n=0 ha_net_miss=0 ha_net_age=-1',
    );
  });

  it.each<[Lifecycle | null, string]>([
    [null, ''],
    [{ state: 'normal', source: null }, ' ha=normal'],
    [{ state: 'connection_lost', source: null }, ' ha=connection_lost'],
    [{ state: 'shutting_down', source: 'socket' }, ' ha=shutting_down ha_src=socket'],
    [{ state: 'back_online', source: 'mqtt' }, ' ha=back_online ha_src=mqtt'],
  ])('has the lifecycle %j before the rest', (lifecycle, expected) => {
    expect(healthTokens({ network: { ...live, settling: true }, lifecycle }, NOW)).toBe(`${expected} ha_net=settling`);
    expect(healthTokens({ network: { ...live, standing: 'absent' }, lifecycle }, NOW)).toBe(expected);
  });
});
