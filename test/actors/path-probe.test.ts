import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';

import { pathProbeSpec } from '#actors/path-probe.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { PathProbeDriverCommand, SocketFact } from '#machines/path-probe/events.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

function start(contexts: Readonly<Record<string, unknown>>) {
  const registry = fakeRegistry(contexts);
  const tries: string[] = [];
  const bursts: number[] = [];
  const driver = fromDriver<PathProbeDriverCommand, undefined, SocketFact>(({ onEvent, send }) =>
    onEvent((command) => {
      if (command.type === 'probe.try') {
        tries.push(command.family);
        send({ type: 'probe.socket', family: command.family, supported: true });
      } else if (command.type === 'probe.burst') bursts.push(command.generation);
    }),
  );
  const spec = pathProbeSpec({ registry, driver });
  const actor = createActor(spec.logic, { input: spec.input?.() }).start();
  /** The connection to Home Assistant is in this state, with this route. */
  const connect = (attempting: string, number: number | null, missed = 0, family = 'ipv6'): void =>
    registry.put(
      'home-assistant',
      { route: number === null ? null : { number, family }, missed, established: true },
      {
        running: {
          link: attempting === 'absent' ? 'absent' : { held: attempting === 'waiting' ? 'waiting' : { attempting } },
        },
      },
    );
  return { registry, tries, bursts, connect, facts: () => actor.getSnapshot().context };
}

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

  it('measures the way of the connection as long as one is held, and at once after a ping without an answer', () => {
    const { bursts, connect, facts } = start({});
    connect('live', 7);
    expect(facts()).toMatchObject({ connection: 7, family: 'ipv6' });
    expect(bursts).toEqual([7]);
    connect('waiting', null);
    expect(facts().connection).toBe(7);
    connect('live', 8);
    expect([facts().connection, bursts]).toEqual([8, [7, 8]]);
    connect('absent', null);
    expect(facts().connection).toBeNull();
  });
});
