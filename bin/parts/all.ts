import { missingPart, type Part } from '#actors/kit/part.ts';
import { chunk } from '#machines/kit/chunk.ts';
import type { GroupId } from '#machines/supervision-groups.ts';
import { subsystems } from '#machines/subsystems.ts';
import { baseParts } from './base.ts';
import type { PartDeps, Wiring } from './deps.ts';
import { edgeParts } from './edge.ts';
import { optionalParts } from './optional.ts';

const chunks = {
  access: chunk(() => import('./access.ts')),
  link: chunk(() => import('./link.ts')),
  media: chunk(() => import('./media.ts')),
  panel: chunk(() => import('./panel.ts')),
  upkeep: chunk(() => import('./upkeep.ts')),
  view: chunk(() => import('./view.ts')),
};

/** A group of the root that is loaded once the pages are served. */
interface LateGroup {
  /** It, and the groups under it. */
  readonly groups: readonly GroupId[];
  readonly wiring: () => Promise<Wiring>;
}

const lateGroups: Readonly<Record<string, LateGroup>> = {
  link: { groups: ['link', 'broker'], wiring: async () => (await chunks.link()).linkParts },
  panel: { groups: ['panel'], wiring: async () => (await chunks.panel()).panelParts },
  view: { groups: ['view'], wiring: async () => (await chunks.view()).viewParts },
  media: { groups: ['media'], wiring: async () => (await chunks.media()).mediaParts },
  access: { groups: ['access'], wiring: async () => (await chunks.access()).accessParts },
  upkeep: { groups: ['upkeep', 'heartbeat'], wiring: async () => (await chunks.upkeep()).upkeepParts },
};

const rows = subsystems.flatMap(({ ids, group }) =>
  group === null ? [] : ids.map((id) => ({ id, group: group as GroupId })),
);

/** The workers that everything else stands on, and those by which pages are served. */
export const firstParts = (deps: PartDeps): readonly Part[] => [...baseParts(deps), ...edgeParts(deps)];

/** Stands for the workers that are loaded later: their ids and groups, by the manifests. */
export function laterParts(deps: PartDeps): readonly Part[] {
  const late = new Set(Object.values(lateGroups).flatMap(({ groups }) => groups));
  const optional = optionalParts(deps);
  const error = new Error('not loaded yet');
  return rows
    .filter(({ id, group }) => late.has(group) && optional.get(id) !== false)
    .map(({ id, group }) => missingPart(id, group, error));
}

/**
 * Loads the workers of one group of the root with their concrete drivers; one that cannot be loaded is there as a part
 * that is down.
 */
export async function loadGroup(id: string, deps: PartDeps): Promise<readonly Part[]> {
  const late = lateGroups[id];
  if (late === undefined) return [];
  const missing = (wanted: (row: (typeof rows)[number]) => boolean, error: unknown): readonly Part[] =>
    rows.filter(wanted).map((row) => missingPart(row.id, row.group, error));
  try {
    const wire = await late.wiring();
    const parts = await Promise.all(
      wire(deps).map(async (part) =>
        'load' in part ? part.load().catch((error: unknown) => missing((row) => row.id === part.id, error)) : part,
      ),
    );
    return parts.flat();
  } catch (error) {
    const optional = optionalParts(deps);
    return missing((row) => late.groups.includes(row.group) && optional.get(row.id) !== false, error);
  }
}

/** Every worker of the agent with its concrete drivers: the one place where rooms meet. */
export async function assembleParts(deps: PartDeps): Promise<readonly Part[]> {
  const later = await Promise.all(Object.keys(lateGroups).map((id) => loadGroup(id, deps)));
  return [...firstParts(deps), ...later.flat()];
}
