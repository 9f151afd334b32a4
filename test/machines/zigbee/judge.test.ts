import { describe, expect, it } from 'vitest';
import { createActor, type EventObject } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { gatewayAttributes } from '#machines/zigbee/attributes.ts';
import type { GatewayFacts, GatewaySample, GatewayState, ZigbeeFact } from '#machines/zigbee/events.ts';
import { afterSample, gatewayVerdict, GRACE_MS, judgeGateway, nothingObserved } from '#machines/zigbee/judge.ts';
import { zigbeeMachine } from '#machines/zigbee/machine.ts';

const MINUTE = 60_000;
const sample = (more: Partial<GatewaySample> = {}): GatewaySample => ({
  running: true,
  joined: true,
  cpuPercent: 2,
  runningForMs: GRACE_MS,
  ...more,
});

/** One look a minute with these shares, beginning when the gateway has run for `age`. */
const looked = (shares: readonly number[], joined: boolean | null, age = GRACE_MS, apart = MINUTE): GatewayFacts =>
  shares.reduce<GatewayFacts>(
    (facts, cpuPercent, index) =>
      afterSample(facts, sample({ cpuPercent, joined, runningForMs: age + index * apart }), 1e12 + index * apart),
    nothingObserved,
  );

const busy = [51, 60, 99, 70, 51];

describe('the health of the gateway', () => {
  it.each<[string, GatewayFacts, GatewayState]>([
    ['nothing seen', nothingObserved, 'unchecked'],
    [
      'not running',
      afterSample(nothingObserved, sample({ running: false, joined: null, cpuPercent: null, runningForMs: null }), 1),
      'not_running',
    ],
    ['running, joined, idle', looked([1, 2], true), 'healthy'],
    ['running, whether joined unknown', looked([1, 2], null), 'healthy'],
    ['not joined, busy for five minutes', looked(busy, false), 'problem'],
    ['not joined, busy for four', looked(busy.slice(1), false), 'warning'],
    ['not joined, half a core exactly in one of five', looked([51, 60, 50, 70, 51], false), 'warning'],
    ['not joined, busy, in its grace', looked(busy, false, GRACE_MS - 5 * MINUTE), 'starting'],
    ['not joined, busy, the grace just over', looked(busy, false, GRACE_MS - 4 * MINUTE), 'problem'],
    ['joined and busy', looked(busy, true), 'warning'],
    ['unknown and busy', looked(busy, null), 'warning'],
    ['not joined and idle', looked([1, 1, 1, 1, 1], false), 'warning'],
    ['busy in five looks within a minute', looked(busy, false, GRACE_MS, 10_000), 'warning'],
  ])('%s', (_, facts, state) => expect(judgeGateway(facts)).toBe(state));

  it('counts restarts of ten minutes and begins the shares anew', () => {
    let facts = looked(busy, false);
    facts = afterSample(facts, sample({ joined: false, cpuPercent: 90, runningForMs: 10 }), 1e12 + 5 * MINUTE);
    expect(facts).toMatchObject({ restarts: [1e12 + 5 * MINUTE], shares: [{ percent: 90 }] });
    facts = afterSample(facts, sample({ runningForMs: 11 * MINUTE }), 1e12 + 15 * MINUTE);
    expect(facts.restarts).toEqual([]);
  });

  it('is told with the one command that helps, and with classes and counts alone', () => {
    const facts = looked(busy, false);
    const verdict = gatewayVerdict('problem', facts, 'zigbee2mqtt');
    expect(verdict).toMatchObject({
      state: 'needs_you',
      reason: 'gateway-spinning',
      fix: { command: 'sudo systemctl restart zigbee2mqtt' },
    });
    expect(gatewayVerdict('not_running', facts, 'siliconlabs_host').fix).toBeNull();
    expect(gatewayAttributes({ gateway: 'zigbee2mqtt', facts, state: 'problem', verdict })).toMatchObject({
      running: true,
      joined: 'no',
      cpu_percent: 51,
      busy: true,
      running_minutes: 15,
      restarts_10m: 0,
      reason: 'gateway-spinning',
    });
  });
});

describe('the watcher', () => {
  const start = () => {
    let tell: (fact: ZigbeeFact) => void = () => {};
    let crash = (): void => {};
    const actor = createActor(
      zigbeeMachine.provide({
        actors: {
          source: fromDriver<EventObject, undefined, ZigbeeFact>(({ send, guard }) => {
            tell = send;
            crash = guard(() => {
              throw new Error('broken');
            });
          }),
        },
      }),
    );
    actor.start();
    return { actor, tell: (fact: ZigbeeFact) => tell(fact), crash: () => crash() };
  };

  it('follows the looks, and knows nothing while the gateway cannot be looked at', () => {
    const { actor, tell } = start();
    tell({ type: 'zigbee.sampled', gateway: 'zigbeed', sample: sample({ joined: null }), at: 1 });
    expect(actor.getSnapshot().context).toMatchObject({
      gateway: 'zigbeed',
      state: 'healthy',
      verdict: { state: 'working' },
    });
    tell({
      type: 'zigbee.missing',
      verdict: { state: 'not_here', reason: 'x', detail: 'X.', missing: null, fix: null },
    });
    expect(actor.getSnapshot().context).toMatchObject({ state: 'unchecked', verdict: { reason: 'x' } });
  });

  it('ends as failed when its driver crashes', () => {
    const { actor, crash } = start();
    crash();
    expect(actor.getSnapshot()).toMatchObject({
      status: 'done',
      output: { ended: 'failed', reason: 'zigbee-driver' },
    });
  });
});
