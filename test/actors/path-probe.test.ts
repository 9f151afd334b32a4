import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';

import { pathProbeSpec } from '#actors/path-probe.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { PathProbeDriverCommand } from '#machines/path-probe/events.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

const start = (contexts: Readonly<Record<string, unknown>>) => {
  const registry = fakeRegistry(contexts);
  const tries: string[] = [];
  const driver = fromDriver<PathProbeDriverCommand, undefined, never>(({ onEvent }) =>
    onEvent(({ family }) => void tries.push(family)),
  );
  const spec = pathProbeSpec({ registry, driver });
  const actor = createActor(spec.logic, { input: spec.input?.() }).start();
  return { registry, tries, actor, probe: () => actor.getSnapshot().context.probe };
};

describe("the path probe's wiring", () => {
  it('takes IPv4 until the readings know better, and follows them', () => {
    const { registry, tries, probe } = start({});
    expect(tries).toEqual(['ipv4']);
    registry.put('readings', { reading: null, takenAt: null });
    registry.put('readings', { reading: { routeFamily: 'ipv6' }, takenAt: 1 });
    expect(tries).toEqual(['ipv4', 'ipv6']);
    expect(probe().family).toBe('ipv6');
    registry.put('readings', undefined);
    expect(probe().family).toBe('ipv6');
  });

  it('starts with what the readings know already', () => {
    expect(start({ readings: { reading: { routeFamily: 'ipv6' }, takenAt: 1 } }).tries).toEqual(['ipv6']);
  });
});
