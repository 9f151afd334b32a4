import { setImmediate as turn } from 'node:timers/promises';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { BaseFacts } from '#actors/kit/base-facts.ts';
import type { Part } from '#actors/kit/part.ts';
import { type ChildSpec, type GroupSpec, isGroup } from '#actors/kit/spec.ts';
import { realTimers, type Registry, type Timers } from '#actors/kit/registry.ts';
import { until } from '#actors/kit/until.ts';
import { superviseAll } from '#actors/tree.ts';
import type { StartedParts } from '#routes/kit/deps.ts';

/** How long to wait for the base and the listener: a panel without settings or pages still has a screen. */
const firstMs: Milliseconds = 2000;

/** What the later groups of the root are loaded with. */
export interface LateGroupsDeps {
  readonly registry: Registry;
  readonly base: BaseFacts;
  /** Loads the pages, before the groups; null if nothing listens. */
  readonly pages: (() => Promise<void>) | null;
  readonly load: (group: string) => Promise<readonly Part[]>;
  /** Called when the children of that group are loaded: it can be adopted. */
  readonly adopt: (group: string) => void;
  readonly isStopping: () => boolean;
}

/** The optional groups of the tree, which start once pages are served. */
export interface LateGroups extends StartedParts {
  /** The children of a group of the root, once they were loaded. */
  readonly loaded: (group: string) => readonly (ChildSpec | GroupSpec)[] | undefined;
  /** Loads and adopts the groups one after another; resolves when all are there, or the agent stops. */
  readonly bring: (groups: readonly string[], deps: LateGroupsDeps) => Promise<void>;
}

function childrenOf(group: string, parts: readonly Part[]): readonly (ChildSpec | GroupSpec)[] {
  const found = superviseAll(parts).children.find(({ id }) => id === group);
  if (found === undefined || !isGroup(found)) throw new Error(`the root has no group ${group}`);
  return found.children;
}

/** Loads the optional groups of the root when the base is up and requests are answered. */
export function createLateGroups(timers: Timers = realTimers): LateGroups {
  let isOver = false;
  const waiting = new Set<() => void>();
  const loaded = new Map<string, readonly (ChildSpec | GroupSpec)[]>();
  const bring: LateGroups['bring'] = async (groups, { registry, base, pages, load, adopt, isStopping }) => {
    if (pages !== null)
      await until(registry, 'http', ({ context }) => context.port > 0 || context.failure !== null, firstMs);
    await base.whenKnown(firstMs);
    // A health check that waited for the base is answered first.
    await turn();
    if (isStopping()) return;
    await pages?.();
    for (const group of groups) {
      // Requests that came meanwhile are answered in between.
      // oxlint-disable-next-line no-await-in-loop -- one group after another, in start order
      await turn();
      // oxlint-disable-next-line no-await-in-loop -- one group after another, in start order
      const parts = await load(group);
      if (isStopping()) return;
      loaded.set(group, childrenOf(group, parts));
      adopt(group);
    }
  };
  return {
    loaded: (group) => loaded.get(group),
    areStarted: () => isOver,
    whenStarted: (boundMs) =>
      isOver
        ? Promise.resolve()
        : new Promise((resolve) => {
            const finish = (): void => {
              timers.clearTimeout(timer);
              waiting.delete(finish);
              resolve();
            };
            const timer = timers.setTimeout(finish, boundMs);
            waiting.add(finish);
          }),
    bring: async (groups, deps) => {
      try {
        await bring(groups, deps);
      } finally {
        isOver = true;
        for (const finish of waiting) finish();
      }
    },
  };
}
