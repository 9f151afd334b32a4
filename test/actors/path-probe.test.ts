import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';

import { pathProbeSpec } from '#actors/path-probe.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { ConnectionFact, PathProbeDriverCommand, PathProbeEvent } from '#machines/path-probe/events.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

const start = (contexts: Readonly<Record<string, unknown>>) => {
  const registry = fakeRegistry(contexts);
  const tries: string[] = [];
  const driver = fromDriver<PathProbeDriverCommand, undefined, never>(({ onEvent }) =>
    onEvent((command) => {
      if (command.type === 'probe.try') tries.push(command.family);
    }),
  );
  let report: (fact: ConnectionFact) => void = () => {};
  const connection = fromDriver<PathProbeEvent, undefined, ConnectionFact>(({ send }) => {
    report = send;
  });
  const spec = pathProbeSpec({ registry, driver, connection });
  const actor = createActor(spec.logic, { input: spec.input?.() }).start();
  return { registry, tries, report: (fact: ConnectionFact) => report(fact), facts: () => actor.getSnapshot().context };
};

describe("the path probe's wiring", () => {
  it('takes IPv4 until the readings know better, and follows them', () => {
    const { registry, tries, facts } = start({});
    expect(tries).toEqual(['ipv4']);
    registry.put('readings', { reading: null, takenAt: null });
    registry.put('readings', { reading: { routeFamily: 'ipv6' }, takenAt: 1 });
    expect(tries).toEqual(['ipv4', 'ipv6']);
    expect(facts().family).toBe('ipv6');
    registry.put('readings', undefined);
    expect(facts().family).toBe('ipv6');
  });

  it('starts with what the readings know already', () => {
    expect(start({ readings: { reading: { routeFamily: 'ipv6' }, takenAt: 1 } }).tries).toEqual(['ipv6']);
  });

  it('hears of the connection', () => {
    const { report, facts } = start({});
    report({ type: 'route.connected', number: 7, family: 'ipv6', otherResolved: null });
    expect(facts()).toMatchObject({ connection: 7, family: 'ipv6' });
  });
});
