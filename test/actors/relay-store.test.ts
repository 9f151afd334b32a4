import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { type AskOutcome, createRegistry } from '#actors/kit/registry.ts';
import { COMMIT_BURST, COMMIT_PAUSE_MS, relayStore } from '#actors/relay-store.ts';
import type { RelayEvent, RelayStoreCommand } from '#machines/relays/events.ts';
import { type RunningDriver, runDriver } from '#test/drivers/run-driver.ts';
import { askOf } from '#test/fakes/registry.ts';

interface Section {
  readonly closed: boolean;
}

function start(latencyMs = 0) {
  const store: { kept: Section | null; commits: boolean[]; broken: boolean } = {
    kept: null,
    commits: [],
    broken: false,
  };
  const answer = async (event: { readonly type: string; readonly value?: Section }): Promise<AskOutcome<unknown>> => {
    if (event.type === 'store.read') return { ok: true, value: { ok: true, value: store.kept } };
    if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
    if (store.broken) return { ok: true, value: { ok: false, reason: 'disk-full' } };
    store.kept = event.value ?? null;
    store.commits.push(event.value?.closed === true);
    return { ok: true, value: { ok: true } };
  };
  // The stand-in answers what the store would; the store asks for nothing else.
  const registry = { ...createRegistry(), ask: askOf((_, event) => answer(event)) };
  const memory: RunningDriver<RelayStoreCommand, RelayEvent> = runDriver<RelayStoreCommand, RelayEvent>(
    relayStore(registry, 'relay1'),
  );
  return {
    store,
    memory,
    keep: async (closed: boolean) => (memory.tell({ type: 'relay.keep', closed }), vi.advanceTimersByTimeAsync(0)),
  };
}

describe('the store of a relay', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('has kept each state of a hand at the switch at once, for the power may go the next moment', async () => {
    const { store, keep, memory } = start();
    for (const closed of [true, false, true]) {
      await keep(closed);
      expect(store.kept).toMatchObject({ closed });
    }
    memory.stop();
  });

  it('commits no more than the disk bears, and the last state in the end', async () => {
    const { store, keep, memory } = start();
    for (let turn = 0; turn < 100; turn += 1) await keep(turn % 2 === 0);
    expect(store.commits).toHaveLength(COMMIT_BURST);
    await keep(true);
    await vi.advanceTimersByTimeAsync(2 * COMMIT_PAUSE_MS);
    expect([store.commits.length, store.kept]).toEqual([COMMIT_BURST + 1, { version: 1, closed: true }]);
    memory.stop();
  });

  it('ends with the newest state, however slowly the store writes', async () => {
    const { store, keep, memory } = start(300);
    await vi.advanceTimersByTimeAsync(10);
    await keep(false);
    await vi.advanceTimersByTimeAsync(1000);
    await keep(true);
    await keep(false);
    memory.stop();
    await vi.advanceTimersByTimeAsync(2000);
    expect(store.kept).toMatchObject({ closed: false });
  });

  it('tries again what the store could not take', async () => {
    const { store, keep, memory } = start();
    store.broken = true;
    await keep(true);
    store.broken = false;
    await vi.advanceTimersByTimeAsync(COMMIT_PAUSE_MS);
    expect(store.kept).toMatchObject({ closed: true });
    memory.stop();
  });
});
