import { describe, expect, it } from 'vitest';

import { homeLookups, observeSource } from '#actors/auto-brightness-source.ts';
import type { Registry } from '#actors/kit/registry.ts';
import type { LightSource } from '#machines/auto-brightness/events.ts';
import type { Reading } from '#machines/home-assistant/events.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

const panel: LightSource = { kind: 'panel' };
const hall: LightSource = { kind: 'home_assistant', entityId: 'sensor.hall' };

/** Watches a source of a registry with fixed facts, and notes what it says. */
function observed(source: LightSource, contexts: Readonly<Record<string, unknown>>) {
  const registry = fakeRegistry(contexts);
  const heard: (number | string)[] = [];
  let emit: (event: { readonly reading: Reading }) => void = () => {};
  let listeners = 0;
  const listen = ((_id: string, _type: string, handler: typeof emit) => {
    listeners += 1;
    emit = handler;
    return () => {
      listeners -= 1;
    };
  }) as unknown as Registry['listen'];
  const end = observeSource({ ...registry, listen })(source, {
    onSample: (lux) => void heard.push(lux),
    onSilent: (why) => void heard.push(why),
    onChanged: () => void heard.push('changed'),
  });
  const watches = () => registry.told.flatMap(({ event }) => ('topics' in event ? [event.topics] : []));
  return {
    registry,
    heard,
    end,
    watches,
    listeners: () => listeners,
    entity: (state: string | null, unit: string | null = 'lx', entityId = 'sensor.hall') =>
      emit({ reading: { kind: 'entity', entityId, state, deviceClass: 'illuminance', unit } }),
  };
}

const sensor = (measured: number | null, state = 'working', shown = true) => ({
  measured,
  shown,
  verdict: { state },
});

describe('the panel’s own sensor', () => {
  it('is followed', () => {
    const { registry, heard, end } = observed(panel, { illuminance: sensor(100) });
    registry.put('illuminance', sensor(90));
    registry.put('illuminance', sensor(null));
    expect(heard).toEqual([100, 90, 'source-away']);
    end();
    registry.put('illuminance', sensor(5));
    expect(heard).toHaveLength(3);
  });

  it('may be absent', () => {
    expect(observed(panel, {}).heard).toEqual(['no-source']);
    expect(observed(panel, { illuminance: sensor(null, 'not_here', false) }).heard).toEqual(['no-source']);
  });

  it('is away while it is unplugged', () => {
    expect(observed(panel, { illuminance: sensor(null, 'not_here') }).heard).toEqual(['source-away']);
  });
});

describe('an entity of Home Assistant', () => {
  const live = { route: { number: 1, family: 'ipv4' } };
  const house = {
    'home-assistant': live,
    settings: { revision: 1, values: { ha_url: 'http://home:8123' } },
    'sign-in': { revision: 3 },
  };

  it('is watched alone, and no longer once that ends', () => {
    const { entity, heard, end, watches, listeners } = observed(hall, house);
    expect(watches()).toEqual([[{ kind: 'entity', entityId: 'sensor.hall' }]]);
    entity('12');
    entity('99', 'lx', 'sensor.kitchen');
    entity('unavailable');
    expect(heard).toEqual([12, 'source-away']);
    end();
    expect(watches().at(-1)).toEqual([]);
    expect(listeners()).toBe(0);
  });

  it('is away while there is no connection', () => {
    const { registry, entity, heard } = observed(hall, house);
    entity('12');
    registry.put('home-assistant', { route: null });
    expect(heard).toEqual([12, 'source-away']);
    registry.put('home-assistant', live);
    entity('13');
    expect(heard.at(-1)).toBe(13);
  });

  it('is another one under another address or account', () => {
    const { registry, heard } = observed(hall, house);
    registry.put('sign-in', { revision: 4 });
    registry.put('settings', { revision: 2, values: { ha_url: 'http://home:8123' } });
    expect(heard).toEqual(['changed']);
    registry.put('settings', { revision: 3, values: { ha_url: 'http://other:8123' } });
    expect(heard).toEqual(['changed', 'changed']);
    // While the sign-in restarts nothing is known of it.
    registry.put('sign-in', { revision: 0 });
    expect(heard).toHaveLength(2);
  });
});

describe('lookups in Home Assistant', () => {
  const place = { kind: 'place', latitude: 52.1, longitude: 5.2, timeZone: 'Europe/Amsterdam' } as const;

  it('read the place, if it is known', async () => {
    const registry = fakeRegistry({});
    const lookups = homeLookups(registry);
    expect(await lookups.place()).toBeNull();
    registry.answer = () => ({ ok: true, value: { ok: true, reading: place } });
    expect(await lookups.place()).toEqual({ latitude: 52.1, longitude: 5.2, timeZone: 'Europe/Amsterdam' });
    registry.answer = () => ({ ok: true, value: { ok: true, reading: { ...place, timeZone: null } } });
    expect(await lookups.place()).toBeNull();
    registry.answer = () => ({ ok: true, value: { ok: false, reason: 'signed-out' } });
    expect(await lookups.place()).toBeNull();
  });

  it('read a week of records of one entity', async () => {
    const registry = fakeRegistry({});
    const light = [{ minute: 1, minutes: 5, mean: 1, min: 1, max: 1 }];
    registry.answer = () => ({
      ok: true,
      value: { ok: true, reading: { kind: 'light-history', entityId: 'sensor.hall', light } },
    });
    expect(await homeLookups(registry).light('sensor.hall')).toEqual(light);
    expect(await homeLookups(registry).light('sensor.kitchen')).toBeNull();
    expect(registry.told[0]?.event).toMatchObject({
      topic: { kind: 'light-history', entityId: 'sensor.hall', days: 7 },
    });
  });

  it('name the origin that is set', () => {
    const registry = fakeRegistry({ settings: { values: { ha_url: 'http://home:8123/lovelace' } } });
    expect(homeLookups(registry).origin()).toBe('http://home:8123');
    registry.put('settings', { values: { ha_url: '' } });
    expect(homeLookups(registry).origin()).toBeNull();
  });
});
