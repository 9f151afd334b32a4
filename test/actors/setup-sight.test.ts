import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { setupSight } from '#actors/setup-sight.ts';
import type { Reading } from '#machines/home-assistant/events.ts';
import type { SeenFact, SightCommand } from '#machines/setup/events.ts';
import { withReadOuts } from '#test/fakes/home-assistant-read-outs.ts';
import { runDriver, type RunningDriver } from '../drivers/run-driver.ts';

const devices: Reading = {
  kind: 'devices',
  devices: [{ id: 'd1', areaId: null, identifiers: [['mqtt', 'sconce_hall']], labels: [] }],
};
const entities = (...ids: readonly string[]): Reading => ({
  kind: 'entities',
  entities: ids.map((entityId) => ({ entityId, areaId: null, deviceId: 'd1', labels: [] })),
});

describe('the look for the first entity', () => {
  let driver: RunningDriver<SightCommand, SeenFact> | undefined;
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    driver?.stop();
    vi.useRealTimers();
  });

  const start = () => {
    const { registry, read } = withReadOuts({ 'home-assistant': {} });
    const running = runDriver<SightCommand, SeenFact>(setupSight(registry));
    driver = running;
    return {
      running,
      asked: () => registry.told.filter(({ event }) => event.type === 'home-assistant.watch').length,
      read,
      look: (panelId: string | null) => running.tell({ type: 'sight.look', panelId }),
    };
  };

  it('finds it once both lists are there, also where it comes later', () => {
    const { running, read, look } = start();
    read(devices);
    look('hall');
    read(entities('light.hall_screen'));
    expect(running.facts).toEqual([]);
    read(devices);
    expect(running.facts).toEqual([{ type: 'setup.seen', entity: { entityId: 'light.hall_screen', panelId: 'hall' } }]);
  });

  it('asks ever more seldom, and not for ever', async () => {
    const { asked, look } = start();
    look('hall');
    expect(asked()).toBe(1);
    await vi.advanceTimersByTimeAsync(5000);
    expect(asked()).toBe(2);
    await vi.advanceTimersByTimeAsync(9000);
    expect(asked()).toBe(2);
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked()).toBe(3);
    await vi.advanceTimersByTimeAsync(24 * 3_600_000);
    expect(asked()).toBe(9);
    look(null);
    expect(asked()).toBe(10);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(asked()).toBe(10);
  });
});
