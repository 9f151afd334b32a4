import { missingPart, type Part, unloadedPart } from '#actors/kit/part.ts';
import type { ActorId } from '#machines/actors.ts';
import { chunk } from '#machines/kit/chunk.ts';
import type { SupervisionGroup } from '#machines/subsystem.ts';
import { type GroupId, supervisionGroups } from '#machines/supervision-groups.ts';
import { subsystems } from '#machines/subsystems.ts';
import { baseParts } from './base.ts';
import type { LaterPart, PartDeps, Wiring } from './deps.ts';
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

/** A group of the root that is loaded once pages are served. */
interface LateGroup {
  /** The group, and those under it. */
  readonly groups: ReadonlySet<string>;
  readonly wiring: () => Promise<Wiring>;
}

/** The fields that are read of a group that a manifest declares. */
type Declared = Pick<SupervisionGroup, 'id' | 'within' | 'onGiveUp'>;

/** The groups of the root that are loaded later, each with its loader; throws if one has none, or does not exist. */
export function lateGroupsOf(
  declared: readonly Declared[],
  loaders: Readonly<Record<string, () => Promise<Wiring>>>,
): ReadonlyMap<string, LateGroup> {
  const under = (id: string): readonly string[] => [
    id,
    ...declared.filter(({ within }) => within === id).flatMap((group) => under(group.id)),
  ];
  const wirings = new Map(Object.entries(loaders));
  const late = declared.filter(({ within, onGiveUp }) => within === undefined && onGiveUp === 'park');
  const stray = [...wirings.keys()].filter((id) => !late.some((group) => group.id === id));
  if (stray.length > 0) throw new Error(`no group of the root that parks has the id ${stray.join(', ')}`);
  return new Map(
    late.map(({ id }) => {
      const wiring = wirings.get(id);
      if (wiring === undefined) throw new Error(`bin/parts/all.ts loads no parts of the group ${id}`);
      return [id, { groups: new Set(under(id)), wiring }];
    }),
  );
}

const lateGroups = lateGroupsOf(supervisionGroups, {
  link: async () => (await chunks.link()).linkParts,
  panel: async () => (await chunks.panel()).panelParts,
  view: async () => (await chunks.view()).viewParts,
  media: async () => (await chunks.media()).mediaParts,
  access: async () => (await chunks.access()).accessParts,
  upkeep: async () => (await chunks.upkeep()).upkeepParts,
});

const rows = subsystems.flatMap(({ ids, group }) =>
  group === null ? [] : ids.map((id) => ({ id, group: group as GroupId })),
);

function groupOf(id: ActorId): GroupId {
  const group = rows.find((row) => row.id === id)?.group;
  if (group === undefined) throw new Error(`no group supervises the part ${id}`);
  return group;
}

/** The workers that everything else depends on, and those that serve pages. */
export const firstParts = (deps: PartDeps): readonly Part[] => [...baseParts(deps), ...edgeParts(deps)];

/** Stand-ins for the workers that are loaded later: their ids and groups, from the manifests. */
export function laterParts(deps: PartDeps): readonly Part[] {
  const late = new Set([...lateGroups.values()].flatMap(({ groups }) => [...groups]));
  const optional = optionalParts(deps);
  const error = new Error('not loaded yet');
  return rows
    .filter(({ id, group }) => late.has(group) && optional.get(id) !== false)
    .map(({ id, group }) => missingPart(id, group, error));
}

/**
 * Loads the workers of one group of the root with their concrete drivers. One that cannot be loaded is a part that is
 * down, and each retry loads it again.
 */
export async function loadGroup(id: string, deps: PartDeps, from = lateGroups): Promise<readonly Part[]> {
  const late = from.get(id);
  if (late === undefined) throw new Error(`the group ${id} is not one that is loaded later`);
  let wired: Promise<ReturnType<Wiring>> | null = null;
  // Once for all of its workers, which may share what they are made from.
  const wire = (): Promise<ReturnType<Wiring>> =>
    (wired ??= late
      .wiring()
      .then((wiring) => wiring(deps))
      .catch((error: unknown) => {
        wired = null;
        throw error;
      }));
  const loadOne = async (worker: ActorId): Promise<Part> => {
    const part = (await wire()).find((one) => one.id === worker);
    if (part === undefined) throw new Error(`the group ${id} has no part ${worker}`);
    return 'load' in part ? part.load() : part;
  };
  const made = async (part: LaterPart): Promise<Part> => {
    const group = groupOf(part.id);
    if (part.always !== true && deps.switched.has(part.id)) return deps.switched.attach(part, group);
    return part.load().catch(() => unloadedPart(part.id, group, () => loadOne(part.id)));
  };
  let parts: readonly (Part | LaterPart)[];
  try {
    parts = await wire();
  } catch {
    const optional = optionalParts(deps);
    parts = rows
      .filter((row) => late.groups.has(row.group) && optional.get(row.id) !== false)
      .map((row) => ({ id: row.id, load: () => loadOne(row.id) }));
  }
  return Promise.all(parts.map(async (part) => ('load' in part ? made(part) : part)));
}
