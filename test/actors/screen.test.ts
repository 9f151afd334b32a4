import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createActor } from 'xstate';

import { createRegistry } from '#actors/kit/registry.ts';
import { RECALL_PAUSE_MS } from '#actors/kit/stored-section.ts';
import { COMMIT_PAUSE_MS, screenStore } from '#actors/screen-store.ts';
import { screenSpec } from '#actors/screen.ts';
import { simulatedScreen } from '#drivers/screen/simulated.ts';
import { SimulatedDevice } from '#drivers/simulator/device.ts';
import type { ScreenContext, ScreenEvent, ScreenStoreCommand } from '#machines/screen/events.ts';

import { runDriver } from '../drivers/run-driver.ts';
import { askOf, fakeRegistry } from '../fakes/registry.ts';

function screenActor(stored: unknown = null, prepare: (device: SimulatedDevice) => void = () => {}, silentReads = 0) {
  const device = new SimulatedDevice();
  prepare(device);
  const commits: unknown[] = [];
  let silences = silentReads;
  const registry = fakeRegistry({});
  registry.answer = (_, event) => {
    if (event.type === 'store.commit' && 'value' in event) commits.push(event.value);
    if (event.type === 'store.read' && silences > 0) {
      silences -= 1;
      return { ok: false, reason: 'timeout' };
    }
    return { ok: true, value: event.type === 'store.read' ? { ok: true, value: stored } : { ok: true } };
  };
  const setMinimum = (percent: number): void =>
    registry.put('settings', { values: { screen_minimum_percent: percent } });
  const actor = createActor(screenSpec({ registry, driver: simulatedScreen(device) }).logic).start();
  // The logic of this spec is the screen's machine.
  const facts = (): ScreenContext => (actor.getSnapshot() as { context: ScreenContext }).context;
  return { device, commits, actor, facts, setMinimum };
}

describe('the screen’s actor', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const microtasks = () => vi.advanceTimersByTimeAsync(0);

  it('answers a command in the same turn on the simulated panel', () => {
    const { actor, device, facts } = screenActor();
    actor.send({ type: 'screen.set', on: true, brightness: 128, origin: 'home-assistant' });
    expect(facts()).toMatchObject({ lit: true, brightness: 128, changed: { by: 'home-assistant' } });
    actor.send({ type: 'screen.set', on: false, origin: 'home-assistant' });
    expect(facts()).toMatchObject({ lit: false, brightness: null, lastBrightness: 128 });
    expect(device.panel.screen.powered).toBe(false);
    actor.send({ type: 'screen.set', on: true, origin: 'home-assistant' });
    expect(facts()).toMatchObject({ lit: true, brightness: 128 });
  });

  it('keeps the last level, at most one commit in five seconds, the newest', async () => {
    const { actor, commits } = screenActor();
    for (const brightness of [10, 20, 30]) actor.send({ type: 'screen.set', brightness, origin: 'http' });
    await vi.advanceTimersByTimeAsync(COMMIT_PAUSE_MS - 1);
    expect(commits).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(commits).toEqual([{ version: 1, screen: { lastBrightness: 30 } }]);
    await vi.advanceTimersByTimeAsync(10 * COMMIT_PAUSE_MS);
    expect(commits).toHaveLength(1);
  });

  it('commits nothing for the light of the room, lit or dark', async () => {
    const { actor, commits, device, facts } = screenActor();
    const adjust = (level: number): void => actor.send({ type: 'screen.adjust', level, origin: 'auto-brightness' });
    for (let level = 1; level <= 50; level += 1) adjust(level);
    expect(facts()).toMatchObject({ brightness: 50, changed: { by: 'auto-brightness' } });
    await vi.advanceTimersByTimeAsync(2 * COMMIT_PAUSE_MS);
    expect(commits).toEqual([]);
    actor.send({ type: 'screen.set', on: false, origin: 'http' });
    await vi.advanceTimersByTimeAsync(2 * COMMIT_PAUSE_MS);
    const before = device.panel.screen;
    adjust(7);
    await vi.advanceTimersByTimeAsync(2 * COMMIT_PAUSE_MS);
    expect(device.panel.screen).toEqual(before);
    expect(commits).toEqual([{ version: 1, screen: { lastBrightness: 50 } }]);
    actor.send({ type: 'screen.set', on: true, origin: 'touch' });
    expect(facts()).toMatchObject({ lit: true, brightness: 7 });
  });

  it('keeps it when asked to stop', async () => {
    const { actor, commits } = screenActor();
    actor.send({ type: 'screen.set', brightness: 77, origin: 'http' });
    actor.send({ type: 'screen.stop' });
    await microtasks();
    expect(commits).toEqual([{ version: 1, screen: { lastBrightness: 77 } }]);
  });

  it('asks a store that does not answer again for the last level', async () => {
    const { facts } = screenActor(
      { version: 1, screen: { lastBrightness: 91 } },
      (device) => device.setScreen({ raw: 0, powered: false }),
      3,
    );
    await vi.advanceTimersByTimeAsync(2 * RECALL_PAUSE_MS);
    expect(facts().lastBrightness).toBe(255);
    await vi.advanceTimersByTimeAsync(RECALL_PAUSE_MS);
    expect(facts().lastBrightness).toBe(91);
  });

  it.each([
    [{ version: 1, screen: { lastBrightness: 91 } }, 91],
    [{ version: 2, screen: { lastBrightness: 91 } }, 255],
    ['nonsense', 255],
  ])('recalls %o as %i for a dark screen', async (stored, level) => {
    const { facts } = screenActor(stored, (device) => device.setScreen({ raw: 0, powered: false }));
    await microtasks();
    expect(facts()).toMatchObject({ lit: false, lastBrightness: level });
  });

  it('follows the owner’s lowest brightness', () => {
    const { actor, device, setMinimum } = screenActor();
    setMinimum(50);
    actor.send({ type: 'screen.set', brightness: 1, origin: 'http' });
    expect(device.panel.screen.raw).toBe(512);
  });

  it('keeps the routes of a display with its level, and hands back those of an earlier run', async () => {
    const stored = {
      version: 1,
      screen: { lastBrightness: 91, routes: { display: 'HDMI-A-1', choice: { brightness: 'ddc', power: 'wlopm' } } },
    };
    const told: unknown[] = [];
    const commits: unknown[] = [];
    const registry = {
      ...createRegistry(),
      ask: askOf((_, event) => {
        if (event.type === 'store.commit') commits.push(event);
        return { ok: true, value: event.type === 'store.read' ? { ok: true, value: stored } : { ok: true } };
      }),
    };
    const memory = runDriver<ScreenStoreCommand, ScreenEvent>(screenStore(registry, 'panel_2'));
    await microtasks();
    told.push(...memory.facts);
    expect(told).toEqual([
      { type: 'level.recalled', level: 91 },
      { type: 'routes.recalled', ...stored.screen.routes },
    ]);
    memory.tell({ type: 'routes.keep', display: 'HDMI-A-1', choice: { brightness: 'ddc', power: 'xset' } });
    await vi.advanceTimersByTimeAsync(COMMIT_PAUSE_MS);
    expect(commits).toEqual([
      {
        type: 'store.commit',
        section: 'panel_2',
        value: {
          version: 1,
          screen: { lastBrightness: 91, routes: { display: 'HDMI-A-1', choice: { brightness: 'ddc', power: 'xset' } } },
        },
      },
    ]);
    memory.stop();
  });
});
