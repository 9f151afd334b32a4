import { createActor, SimulatedClock } from 'xstate';
import { expect, it } from 'vitest';

import { finderSpec } from '#actors/finder.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { FinderContext, FinderEvent, FinderFact } from '#machines/finder/events.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

it('is off where the network is left alone, whatever the settings name', () => {
  const registry = fakeRegistry({});
  const actor = createActor(finderSpec({ registry, browse: null }).logic, { clock: new SimulatedClock() }).start();
  for (const broker of ['', 'mqtt://broker.test', '']) {
    registry.put('settings', { revision: 1, values: { entity_surface: 'mqtt', mqtt_broker: broker } });
    expect(actor.getSnapshot()).toMatchObject({ status: 'active', context: { wanted: false, outcome: 'off' } });
  }
  actor.stop();
});

it('keeps the broker that was found while the settings are away', () => {
  const registry = fakeRegistry({});
  const clock = new SimulatedClock();
  let browsers = 0;
  const browse = fromDriver<FinderEvent, undefined, FinderFact>(({ send }) => {
    browsers += 1;
    send({
      type: 'finder.observed',
      instances: [{ id: 'u1', name: 'home.local', host: '10.0.0.2', port: 8123, internalUrl: null }],
    });
  });
  const actor = createActor(finderSpec({ registry, browse }).logic, { clock }).start();
  // The snapshot of a machine of our own, whose facts are its contract.
  const facts = () => (actor.getSnapshot() as unknown as { readonly context: FinderContext }).context;
  expect(facts()).toMatchObject({ wanted: false, outcome: 'idle' });
  registry.put('settings', { revision: 1, values: { entity_surface: 'mqtt', mqtt_broker: '' } });
  clock.increment(1500);
  expect(facts()).toMatchObject({ wanted: true, outcome: 'found', host: '10.0.0.2' });
  registry.put('settings', undefined);
  expect(facts().outcome).toBe('found');
  registry.put('settings', { revision: 0, values: {} });
  expect(facts().outcome).toBe('found');
  registry.put('settings', { revision: 2, values: { entity_surface: 'mqtt', mqtt_broker: '' } });
  expect(facts().outcome).toBe('found');
  expect(browsers).toBe(1);
  registry.put('companion', { surface: 'native' });
  expect(facts()).toMatchObject({ wanted: false, outcome: 'idle' });
  registry.put('companion', { surface: 'mqtt' });
  expect(facts().wanted).toBe(true);
  registry.put('settings', { revision: 3, values: { entity_surface: 'mqtt', mqtt_broker: 'mqtt://broker.test' } });
  expect(facts()).toMatchObject({ wanted: false, outcome: 'idle' });
  actor.stop();
});
