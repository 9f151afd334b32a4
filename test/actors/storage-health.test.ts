import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';

import { storageHealthSpec } from '#actors/storage-health.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { StorageDriverCommand } from '#machines/storage-health/events.ts';
import type { StoreContext } from '#machines/store/events.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

const store = (facts: Partial<StoreContext> = {}): StoreContext => ({
  loadedFrom: 'current',
  loss: null,
  newer: null,
  commits: 0,
  lastFailure: null,
  documentBytes: 10,
  folder: '/data',
  ...facts,
});

function start(first: StoreContext) {
  const registry = fakeRegistry({ store: first });
  const driver = fromDriver<StorageDriverCommand, undefined, never>(() => {});
  const spec = storageHealthSpec({ registry, driver, now: () => 100 });
  const actor = createActor(spec.logic).start();
  const health = () => actor.getSnapshot().context.health;
  const inspected = (at: number) =>
    actor.send({
      type: 'storage.inspected',
      at,
      inspection: { usableBytes: 8e9, totalBytes: 16e9, documentBytes: 1, sizes: null, check: 'ok', damaged: [] },
    });
  return { registry, inspected, health };
}

describe("storage health's wiring", () => {
  it("follows the store's failures and successes", () => {
    const { registry, inspected, health } = start(store());
    inspected(1);
    expect(health().state).toBe('healthy');
    registry.put('store', store({ lastFailure: { reason: 'ENOSPC', at: 50 } }));
    expect(health()).toMatchObject({ state: 'database_failure', failure: 'storage_full' });
    inspected(60);
    expect(health().state).toBe('database_failure');
    registry.put('store', store({ commits: 1 }));
    expect(health()).toMatchObject({ state: 'healthy', failure: null });
  });

  it('knows of a failure from before its own start, and takes no old success for a new one', () => {
    const { registry, inspected, health } = start(store({ commits: 5, lastFailure: { reason: 'EIO', at: 50 } }));
    expect(health().failure).toBe('io');
    inspected(60);
    registry.put('store', undefined);
    registry.put('store', store({ commits: 0 }));
    expect(health().failure).toBe('io');
    registry.put('store', store({ commits: 1 }));
    expect(health().failure).toBeNull();
  });
});
