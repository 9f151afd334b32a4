import type { ScreenDeps } from '#actors/screen.ts';
import { screenStore } from '#actors/screen-store.ts';
import { settingFollower } from '#actors/setting-follower.ts';
import { fromServer } from '#actors/kit/from-server.ts';
import { part } from '#actors/kit/part.ts';
import { type StoreDeps, storeSpec } from '#actors/store.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { placeholder } from '#machines/kit/placeholder.ts';
import type { ScreenStoreCommand, ScreenStoreFact } from '#machines/screen/events.ts';
import { screenMachine } from '#machines/screen/machine.ts';
import type { CommitOutcome, ReadAllOutcome, ReadOutcome, SnapshotOutcome, StoreContext, StoreEvent } from '#machines/store/events.ts';
import { unloaded } from '#machines/store/facts.ts';
import { store } from '#machines/store/index.ts';

type Nowhere = { readonly type: 'no.such.fact' };
type StoreAnswer = CommitOutcome | ReadOutcome | ReadAllOutcome | SnapshotOutcome;
const initial = { value: 'ready', context: unloaded('/') };

// The sections of the store, and a server that answers what nobody asked for.
type Sections = StoreDeps['sections'];
export const wired = (sections: Sections) => storeSpec({ folder: '/', sections });
export const wiredStray = storeSpec({ folder: '/', sections: { load: async () => ({ from: 'nowhere' }) } }); // refused: no such driver
const serve = () => {};
export const served = part(store, fromServer<StoreContext, StoreEvent, StoreAnswer>({ initial, failed: 'x', serve }));
export const servedStray = part(store, fromServer<StoreContext, StoreEvent, StoreAnswer | 1>({ initial, failed: 'x', serve })); // refused: no such answer

// The memory of a screen, and the follower of its limits.
type Registry = ScreenDeps['registry'];
const recall = fromDriver<ScreenStoreCommand, undefined, ScreenStoreFact>(() => {});
export const recalled = screenMachine.provide({ actors: { store: recall } });
export const recalledTruly = (registry: Registry) => screenMachine.provide({ actors: { store: screenStore(registry, 'panel') } });
const strayMemory = fromDriver<ScreenStoreCommand, undefined, Nowhere>(() => {});
export const recalledStray = screenMachine.provide({ actors: { store: strayMemory } }); // refused: no such fact
export const limits = (registry: Registry) => {
  const stray = settingFollower(registry, 'volume_limit_percent', () => ({ type: 'volume.limits', limitPercent: 1 }) as const);
  return screenMachine.provide({ actors: { limits: stray } }); // refused: the limits of another machine
};

placeholder<ScreenStoreCommand>(); // refused: it does not say what is reported
placeholder<ScreenStoreCommand, undefined>(); // refused: it does not say what is reported
