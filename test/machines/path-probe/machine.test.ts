import { describe, expect, it } from 'vitest';
import { createActor, SimulatedClock } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { PathProbeDriverCommand, PathProbeEvent } from '#machines/path-probe/events.ts';
import { pathProbeMachine } from '#machines/path-probe/machine.ts';
import { projectProbe } from '#machines/path-probe/project-probe.ts';

const start = () => {
  const clock = new SimulatedClock();
  const tries: string[] = [];
  let crash = (): void => {};
  const actor = createActor(
    pathProbeMachine.provide({
      actors: {
        socket: fromDriver<PathProbeDriverCommand, undefined, never>(({ onEvent, guard }) => {
          onEvent(({ family }) => void tries.push(family));
          crash = guard(() => {
            throw new Error('broken');
          });
        }),
        route: fromDriver<PathProbeEvent, undefined, never>(() => {}),
      },
    }),
    { clock, input: { family: 'ipv4' } },
  ).start();
  return { actor, clock, tries, crash: () => crash(), probe: () => actor.getSnapshot().context.probe };
};

describe('projectProbe', () => {
  it.each([
    ['ipv4', null, 'unproven', 'unowned'],
    ['ipv6', true, 'unproven', 'unproven'],
    ['ipv6', false, 'unsupported', 'unsupported'],
  ] as const)('%s, supported %s', (family, supported, state, available) => {
    expect(projectProbe(family, supported)).toMatchObject({
      family,
      state,
      available,
      loss_percent: -1,
      echoes_sent: 0,
      p95_ms: -1,
    });
  });
});

describe('the path probe', () => {
  it('tries a socket at once and says what came of it', () => {
    const { actor, tries, probe } = start();
    expect(tries).toEqual(['ipv4']);
    expect(probe()).toMatchObject({ state: 'unproven', family: 'ipv4' });
    actor.send({ type: 'probe.socket', family: 'ipv4', supported: false });
    expect(probe()).toMatchObject({ state: 'unsupported', family: 'ipv4' });
  });

  it('tries again every minute, so that a fix is noticed', () => {
    const { actor, clock, tries, probe } = start();
    actor.send({ type: 'probe.socket', family: 'ipv4', supported: false });
    clock.increment(60_000);
    expect(tries).toHaveLength(2);
    expect(probe().state).toBe('unsupported');
    actor.send({ type: 'probe.socket', family: 'ipv4', supported: true });
    expect(probe().state).toBe('unproven');
    actor.send({ type: 'path-probe.probe' });
    expect(tries).toHaveLength(3);
  });

  it('asks again when no answer came', () => {
    const { clock, tries } = start();
    clock.increment(60_000);
    expect(tries).toHaveLength(2);
  });

  it('follows the family of the default route and drops an answer about the other one', () => {
    const { actor, tries, probe } = start();
    actor.send({ type: 'probe.family', family: 'ipv4' });
    expect(tries).toHaveLength(1);
    actor.send({ type: 'probe.family', family: 'ipv6' });
    expect(tries).toEqual(['ipv4', 'ipv6']);
    actor.send({ type: 'probe.socket', family: 'ipv4', supported: false });
    expect(probe()).toMatchObject({ state: 'unproven', family: 'ipv6' });
    actor.send({ type: 'probe.socket', family: 'ipv6', supported: false });
    expect(probe()).toMatchObject({ state: 'unsupported', family: 'ipv6' });
  });

  it('ends as failed when the driver breaks', () => {
    const broken = start();
    broken.crash();
    expect(broken.actor.getSnapshot().output).toMatchObject({ ended: 'failed', reason: 'path-probe-driver' });
  });
});
