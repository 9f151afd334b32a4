import { afterEach, describe, expect, it, vi } from 'vitest';

import { FLOOD_BURST, FLOOD_PAUSE_MS } from '#machines/publisher/flood.ts';
import { gateway } from '#actors/publisher.ts';
import type { AskOutcome } from '#actors/kit/registry.ts';
import { rows as dashboardRows } from '#machines/dashboard/entities.ts';
import { rows as screenRows } from '#machines/screen/entities.ts';
import type { GatewayCommand, GatewayFact } from '#machines/publisher/events.ts';
import { runDriver } from '#test/drivers/run-driver.ts';
import { askOf, type FakeRegistry, fakeRegistry } from '#test/fakes/registry.ts';

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
  const driver = runDriver<GatewayCommand, GatewayFact>(gateway({ registry, rows: [] }));
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
  const driver = runDriver<GatewayCommand, GatewayFact>(gateway({ registry, rows: screenRows }));
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

describe('commands that come faster than they are carried out', () => {
  afterEach(() => vi.useRealTimers());
  const levelsTold = (registry: FakeRegistry) =>
    registry.told.flatMap(({ event }) => ('brightness' in event ? [event.brightness] : []));
  /** A screen's gateway on a clock that is stepped. */
  const start = () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const registry = fakeRegistry({ screen: { seen: true, display: null, lit: null } });
    const driver = runDriver<GatewayCommand, GatewayFact>(gateway({ registry, rows: screenRows }));
    const dim = (brightness: number) => driver.tell({ type: 'gateway.run', key: 'screen', value: { brightness } });
    return { registry, driver, dim };
  };

  it('go on as they come below the bound, then the newest wins, twenty a second', async () => {
    const { registry, driver, dim } = start();
    for (let level = 1; level <= 200; level += 1) dim(level);
    expect(levelsTold(registry)).toEqual(Array.from({ length: FLOOD_BURST }, (_, at) => at + 1));
    await vi.advanceTimersByTimeAsync(FLOOD_PAUSE_MS);
    expect(levelsTold(registry).at(-1)).toBe(200);
    expect(levelsTold(registry)).toHaveLength(FLOOD_BURST + 1);
    for (let level = 100; level < 150; level += 1) {
      dim(level);
      await vi.advanceTimersByTimeAsync(10);
    }
    await vi.advanceTimersByTimeAsync(100);
    expect(levelsTold(registry).length).toBeLessThanOrEqual(FLOOD_BURST + 1 + 600 / FLOOD_PAUSE_MS);
    expect(levelsTold(registry).at(-1)).toBe(149);
    driver.stop();
  });

  it('are not slowed down where each waits for what came of the last one', async () => {
    const { registry, driver, dim } = start();
    for (let level = 1; level <= 100; level += 1) {
      dim(level);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(levelsTold(registry)).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
    driver.stop();
  });

  it('are refused one by one, and a refused one takes the place of none', async () => {
    const { registry, driver, dim } = start();
    for (let level = 1; level <= FLOOD_BURST + 1; level += 1) dim(level);
    driver.tell({ type: 'gateway.run', key: 'screen', value: 'no light' });
    expect(driver.facts.at(-1)).toEqual({ type: 'command.refused', key: 'screen', reason: 'malformed' });
    await vi.advanceTimersByTimeAsync(FLOOD_PAUSE_MS);
    expect(levelsTold(registry).at(-1)).toBe(FLOOD_BURST + 1);
    driver.stop();
  });

  it('are forgotten when the gateway ends', async () => {
    const { registry, driver, dim } = start();
    for (let level = 1; level <= FLOOD_BURST + 1; level += 1) dim(level);
    driver.stop();
    await vi.advanceTimersByTimeAsync(1000);
    expect(levelsTold(registry)).toHaveLength(FLOOD_BURST);
  });

  it('wait one behind the other where the actor is asked, the newest winning, and a refusal is reported', async () => {
    const registry = fakeRegistry({});
    const answers: ((outcome: AskOutcome<unknown>) => void)[] = [];
    const asked: unknown[] = [];
    const asking = {
      ...registry,
      ask: askOf((id, event) => {
        asked.push([id, event]);
        return new Promise<AskOutcome<unknown>>((resolve) => answers.push(resolve));
      }),
    };
    const driver = runDriver<GatewayCommand, GatewayFact>(gateway({ registry: asking, rows: dashboardRows }));
    // The last one is refused at once, and takes the place of none that waits.
    for (const value of ['/one', '/two', '/three', 'http://elsewhere.example/x'])
      driver.tell({ type: 'gateway.run', key: 'home_dashboard', value });
    expect(driver.facts).toContainEqual({ type: 'command.refused', key: 'home_dashboard', reason: 'not-local' });
    answers[0]?.({ ok: true, value: { status: 'refused', reasons: {} } });
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    expect(asked).toEqual(
      ['/one', '/three'].map((path) => ['settings', { type: 'settings.merge', patch: { home_dashboard: path } }]),
    );
    expect(driver.facts).toContainEqual({ type: 'command.refused', key: 'home_dashboard', reason: 'refused' });
    driver.stop();
  });
});
