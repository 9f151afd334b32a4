import { afterEach, expect, it } from 'vitest';

import { lightStore } from '#actors/light-store.ts';
import { createRegistry } from '#actors/kit/registry.ts';
import type { LightId, LightStoreCommand, LightStoreFact } from '#machines/lights/events.ts';
import { isFact, runDriver, type RunningDriver } from '#test/drivers/run-driver.ts';
import { until } from '#test/drivers/camera/rtsp/rig.ts';
import { memoryStore } from './settings/memory-store.ts';

const running: RunningDriver<LightStoreCommand, LightStoreFact>[] = [];
afterEach(() => {
  for (const one of running.splice(0)) one.stop();
});

const showing = { output: { level: 40, rgb: { red: 0, green: 0, blue: 255 } }, effect: 'pulse' } as const;

function start(sections: Record<string, unknown>, light: LightId = 'led') {
  const store = memoryStore(sections);
  const memory = runDriver<LightStoreCommand, LightStoreFact>(
    lightStore({ ...createRegistry(), ask: store.ask }, light),
  );
  running.push(memory);
  return {
    store,
    memory,
    recalled: async () => (await memory.until(isFact<LightStoreFact, 'light.recalled'>('light.recalled'))).showing,
  };
}

it('keeps what the LED shows after a hold, for the next agent', async () => {
  const { store, memory, recalled } = start({});
  expect(await recalled()).toBeNull();
  memory.tell({ type: 'light.keep', showing: null });
  memory.tell({ type: 'light.keep', showing });
  await until('a commit', () => store.commits > 0);
  expect(store.sections).toEqual({ led: { version: 1, showing } });
  expect(await start(structuredClone(store.sections)).recalled()).toEqual(showing);
  memory.tell({ type: 'light.keep', showing: null });
  await until('the next commit', () => store.commits > 1);
  expect([store.sections['led'], store.commits]).toEqual([null, 2]);
});

it.each([[{ version: 2, showing }], [{ version: 1, showing: { ...showing, effect: 'melt' } }], ['red']])(
  'recalls nothing of %j',
  async (led) => {
    expect(await start({ led }).recalled()).toBeNull();
  },
);

it('asks nothing for a light that is never held', async () => {
  const { store, memory } = start({ led: { version: 1, showing } }, 'buttons');
  memory.tell({ type: 'light.keep', showing });
  memory.stop();
  await memory.settled();
  expect([memory.facts, store.commits]).toEqual([[], 0]);
});
