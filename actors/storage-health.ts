import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';
import type {
  DiskFact,
  StorageDriverCommand,
  StorageHealthEvent,
  WritesFact,
} from '#machines/storage-health/events.ts';
import { storageHealth } from '#machines/storage-health/index.ts';
import { storageHealthMachine } from '#machines/storage-health/machine.ts';

import type { Registry } from './kit/registry.ts';
import { part, type Part } from './kit/part.ts';

export interface StorageHealthDeps {
  readonly registry: Registry;
  readonly driver: DriverLogic<StorageDriverCommand, undefined, DiskFact>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

interface Writes {
  readonly commits: number;
  readonly failedAt: number | null;
  readonly reason: string | null;
}

/** Reports the results of the store's writes: an earlier failure at the start too, successes only as they happen. */
const writesFollower = (registry: Registry, now: () => number) =>
  fromDriver<StorageHealthEvent, undefined, WritesFact>(({ send }) => {
    let known: Writes | null = null;
    return registry.follow(
      'store',
      (snapshot): Writes | null => {
        const store = snapshot?.context;
        return store
          ? {
              commits: store.commits,
              failedAt: store.lastFailure?.at ?? null,
              reason: store.lastFailure?.reason ?? null,
            }
          : null;
      },
      (writes) => {
        if (writes === null) return;
        const { failedAt, reason } = writes;
        if (failedAt !== null && reason !== null && failedAt !== known?.failedAt)
          send({ type: 'storage.commit-failed', reason, at: failedAt });
        // After a crash the store counts from zero again.
        if (known !== null && writes.commits > known.commits) send({ type: 'storage.commit-succeeded', at: now() });
        known = writes;
      },
    );
  });

export const storageHealthSpec = ({ registry, driver, now }: StorageHealthDeps): Part =>
  part(
    storageHealth,
    storageHealthMachine.provide({ actors: { disk: driver, writes: writesFollower(registry, now) } }),
  );
