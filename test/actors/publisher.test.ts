import { expect, it } from 'vitest';

import { surface } from '#actors/publisher.ts';
import { rows as screenRows } from '#machines/screen/entities.ts';
import type { SurfaceCommand, SurfaceFact } from '#machines/publisher/events.ts';
import { runDriver } from '#test/drivers/run-driver.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

const readings = (address: string) => ({ reading: { address } });

it('tells of the panel only when something about it changed', () => {
  const registry = fakeRegistry({
    identity: {
      panelId: 'hall',
      installId: 'a'.repeat(32),
      friendlyName: 'Hall',
      manufacturer: '',
      model: '',
      version: '1',
    },
    settings: { revision: 1, values: { mqtt_discovery_prefix: 'homeassistant' }, expose: {} },
    profile: { absent: [] },
    readings: readings('192.0.2.7'),
    http: { port: 8080 },
  });
  const driver = runDriver<SurfaceCommand, SurfaceFact>(surface({ registry, rows: [] }));
  const panels = () => driver.facts.flatMap((fact) => (fact.type === 'panel.changed' ? [fact.panel] : []));
  expect(panels().at(-1)).toMatchObject({
    panelId: 'hall',
    prefix: 'homeassistant',
    configurationUrl: 'http://192.0.2.7:8080/',
  });
  const before = panels().length;
  for (const [id, facts] of [
    ['readings', readings('192.0.2.7')],
    ['http', { port: 8080 }],
    ['profile', { absent: [] }],
  ] as const) {
    registry.put(id, undefined);
    registry.put(id, facts);
  }
  registry.put('settings', { revision: 0, values: {}, expose: {} });
  expect(panels()).toHaveLength(before);
  registry.put('readings', readings('192.0.2.8'));
  expect(
    panels()
      .slice(before)
      .map(({ configurationUrl }) => configurationUrl),
  ).toEqual(['http://192.0.2.8:8080/']);
  driver.stop();
});

it('announces a further screen once there was one, and keeps it while its actor restarts', () => {
  const registry = fakeRegistry({
    identity: {
      panelId: 'hall',
      installId: 'a'.repeat(32),
      friendlyName: 'Hall',
      manufacturer: '',
      model: '',
      version: '1',
    },
    settings: { revision: 1, values: { mqtt_discovery_prefix: 'homeassistant' }, expose: { screen: true } },
    profile: { absent: [] },
    http: { port: 8080 },
    screen: { seen: true, display: null, lit: null },
    screen_2: { seen: false, display: null, lit: null },
  });
  const driver = runDriver<SurfaceCommand, SurfaceFact>(surface({ registry, rows: screenRows }));
  const keys = () =>
    driver.facts.flatMap((fact) => (fact.type === 'panel.changed' ? [fact.panel.shapes.map(({ key }) => key)] : []));
  expect(keys().at(-1)).toEqual(['screen']);
  registry.put('screen_2', { seen: true, display: null, lit: null });
  expect(keys().at(-1)).toEqual(['screen', 'screen_2']);
  const told = keys().length;
  registry.put('screen_2', undefined);
  expect(keys()).toHaveLength(told);
  driver.stop();
});
