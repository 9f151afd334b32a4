import type { Backoff } from '#machines/kit/backoff.ts';
import type { SupervisionGroup } from '#machines/subsystem.ts';
import { subsystems } from '#machines/subsystems.ts';
import { supervisionGroups } from '#machines/supervision-groups.ts';
import type { Part } from '#actors/kit/part.ts';
import { type ChildSpec, type GroupSpec, isGroup, workerIds } from '#actors/kit/spec.ts';

/** The first pause of 250 ms frees ports and locks. */
const backoff: Backoff = { firstMs: 250, capMs: 30_000, jitter: 0.2 };

/** Pages and HTTP depend on these groups: they come back faster, since the owner is waiting. */
const quickBackoff: Backoff = { firstMs: 100, capMs: 5_000, jitter: 0.2 };

/** Five restarts in a minute: a burst is forgiven, a part that cannot run is not. */
const intensity = { restarts: 5, periodMs: 60_000 };

/** Position of each worker in the start order of the list of subsystems. */
const startOrder: ReadonlyMap<string, number> = new Map(
  subsystems.flatMap<string>(({ ids }) => ids).map((id, index) => [id, index]),
);

const positionOf = (spec: ChildSpec | GroupSpec): number =>
  Math.min(...workerIds(spec).map((id) => startOrder.get(id) ?? startOrder.size));

/**
 * The supervision tree of the agent (ARCHITECTURE.md): what comes first starts first and stops last. Each part is in
 * the group that its manifest names, in the order of the list of subsystems.
 */
export function superviseAll(parts: readonly Part[]): GroupSpec {
  const specOf = ({ id, strategy, onGiveUp, parkRetryMs }: SupervisionGroup): GroupSpec => ({
    id,
    strategy,
    intensity,
    onGiveUp,
    ...(parkRetryMs !== undefined && { parkRetryMs }),
    backoff: onGiveUp === 'escalate' ? quickBackoff : backoff,
    children: [
      ...parts.filter(({ group }) => group === id),
      ...supervisionGroups.filter(({ within }) => within === id).map(specOf),
    ].toSorted((a, b) => positionOf(a) - positionOf(b)),
  });
  return {
    id: 'root',
    strategy: 'one_for_one',
    intensity: { restarts: 3, periodMs: 600_000 },
    onGiveUp: 'escalate',
    backoff: quickBackoff,
    children: supervisionGroups.filter(({ within }) => within === undefined).map(specOf),
  };
}

/**
 * The same tree with its optional groups waiting: each is adopted once its parts were loaded, which `loaded` then
 * returns. Until then the parts of `root` only say which ones to expect.
 */
export function awaitingGroups(
  root: GroupSpec,
  loaded: (group: string) => readonly (ChildSpec | GroupSpec)[] | undefined,
): GroupSpec {
  return {
    ...root,
    children: root.children.map((child) =>
      isGroup(child) && child.onGiveUp === 'park' ? { ...child, adopted: () => loaded(child.id) ?? [] } : child,
    ),
  };
}
