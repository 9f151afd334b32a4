import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createActor } from 'xstate';

import { mqttSpec } from '#actors/mqtt.ts';
import type { Credential } from '#actors/settings.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { unassigned } from '#machines/kit/recipient.ts';
import type { BrokerCommand, BrokerFact, ConnectionInput } from '#machines/mqtt/events.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';
import { settledFacts } from '#test/fakes/route-deps.ts';

/** What the store of the password needs beside the registry. */
const silent = { markPassword: () => 'mark', now: () => 1 };

describe('what follows the desired broker', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('says that no broker is set where the network is left alone', async () => {
    const { settings, identity } = settledFacts();
    const registry = fakeRegistry({
      settings: { ...(settings as object), values: { entity_surface: 'mqtt', mqtt_broker: '' } },
      identity,
    });
    const connection = fromDriver<BrokerCommand, ConnectionInput, BrokerFact>(() => {});
    const actor = createActor(mqttSpec({ ...silent, registry, readPassword: async () => null, connection }).logic);
    actor.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(actor.getSnapshot()).toMatchObject({ value: 'discovering' });
    registry.put('finder', { outcome: 'off', host: null });
    await vi.advanceTimersByTimeAsync(0);
    expect(actor.getSnapshot()).toMatchObject({ value: 'unconfigured' });
    actor.stop();
  });

  it('wants no broker while the entities go through the integration, and only then', async () => {
    const { settings, identity } = settledFacts();
    const surface = (entity_surface: 'mqtt' | 'native', mqtt_broker = 'mqtt://192.0.2.1') => ({
      ...(settings as object),
      values: { entity_surface, mqtt_broker },
    });
    const registry = fakeRegistry({ settings: surface('native'), identity });
    const connection = fromDriver<BrokerCommand, ConnectionInput, BrokerFact>(() => {});
    const actor = createActor(mqttSpec({ ...silent, registry, readPassword: async () => null, connection }).logic);
    actor.start();
    const states: unknown[] = [];
    const look = async (): Promise<void> => {
      await vi.advanceTimersByTimeAsync(0);
      const { value } = actor.getSnapshot() as unknown as { readonly value: unknown };
      states.push(typeof value === 'string' ? value : 'linked');
    };
    // The native connection was not read yet: the broker may have to be left first.
    await look();
    registry.put('companion', { surface: 'mqtt' });
    await look();
    registry.put('companion', { surface: 'native' });
    await look();
    registry.put('companion', undefined);
    await look();
    registry.put('settings', surface('mqtt'));
    registry.put('companion', { surface: 'mqtt' });
    await look();
    expect(states).toEqual(['off', 'unconfirmed', 'unneeded', 'unneeded', 'unconfirmed']);
    actor.stop();
  });

  it('reads no password any more once it has ended', async () => {
    const { settings, identity } = settledFacts();
    const registry = fakeRegistry({ settings, identity });
    const answers: ((password: Credential) => void)[] = [];
    const readPassword = vi.fn(
      () =>
        new Promise<Credential>((resolve) => {
          answers.push(resolve);
        }),
    );
    const connection = fromDriver<BrokerCommand, ConnectionInput, BrokerFact>(() => {});
    const { logic } = mqttSpec({ ...silent, registry, readPassword, connection });
    const actor = createActor(logic);
    actor.start();
    registry.put('settings', { ...(settings as object), revision: 2 });
    await vi.advanceTimersByTimeAsync(0);
    expect(answers).toHaveLength(1);
    actor.stop();
    answers[0]?.({ value: 'secret', assignment: unassigned });
    await vi.advanceTimersByTimeAsync(0);
    expect(readPassword).toHaveBeenCalledTimes(1);
  });
});
