import { expect, it } from 'vitest';
import { followBase } from '#actors/kit/base-facts.ts';
import { followReadiness } from '#bin/readiness.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

const base = {
  settings: { revision: 1, digest: '1a2b3c4d' },
  identity: { panelId: 'hall' },
  'active-profile': { id: 'x' },
};
const service = { listening: true, heartbeatMs: null, ready: false, failure: null };

function start(facts: Readonly<Record<string, unknown>>) {
  const registry = fakeRegistry({ service, ...facts });
  const ends = followReadiness(registry, followBase(registry));
  return { registry, ends, ready: () => registry.told.length };
}

it.each<[string, Readonly<Record<string, unknown>>, string, unknown]>([
  ['the listener, last', base, 'http', { port: 80 }],
  ['the settings, last', { ...base, http: { port: 80 }, settings: undefined }, 'settings', base.settings],
])('tells the service manager once both are there: %s', (_, facts, id, last) => {
  const there = Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined));
  const { registry, ready } = start(there);
  expect(ready()).toBe(0);
  registry.put(id, last);
  expect(registry.told).toEqual([{ id: 'service', event: { type: 'service.ready' } }]);
});

it('tells a heartbeat that was started anew', () => {
  const { registry, ready } = start({ ...base, http: { port: 80 } });
  expect(ready()).toBe(1);
  registry.put('service', undefined);
  const before = ready();
  registry.put('service', service);
  expect(ready()).toBe(before + 1);
});
