/** How one module reaches another: at run time, or for its types only. */
export type ImportKind = 'value' | 'type';

/**
 * Paths of this repository are relative to its root; anything else is the bare name of a package (`hono/jsx`,
 * `node:fs`).
 */
export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly kind: ImportKind;
}

const rooms = ['bin', 'machines', 'drivers', 'profiles', 'actors', 'routes', 'ui', 'test'] as const;
type Room = (typeof rooms)[number];

const roomOf = (path: string): Room | undefined => rooms.find((room) => path.startsWith(`${room}/`));
const eventsFile = /^machines\/[^/]+\/events\.ts$/;
const isOf = (path: string, ...names: readonly string[]): boolean =>
  names.some((name) => path === name || path.startsWith(`${name}/`));

/**
 * The subsystem of a file in machines/; the files beside the subsystems join them (settings, entities, capabilities).
 */
const subsystem = (path: string): string | undefined => /^machines\/([^/]+)\//.exec(path)?.[1];

/** What a subsystem tells of itself; the bundle of machines/ begins with all of them. */
const manifestFile = /^machines\/[^/]+\/index\.ts$/;
const machineFile = /^machines\/[^/]+\/machine\.ts$/;
/** A file beside the subsystems that goes over all manifests: each one but those that manifests are made with. */
const isWalk = (path: string): boolean =>
  /^machines\/[^/]+\.ts$/.test(path) && !isOf(path, 'machines/actors.ts', 'machines/subsystem.ts');

/** A manifest is made from its own folder, without its machine, and from what all of them are made with. */
function isOfManifest({ from, to, kind }: Edge): boolean {
  if (to === 'machines/actors.ts') return kind === 'type';
  if (to === 'machines/subsystem.ts' || subsystem(to) === 'kit') return true;
  return subsystem(to) === subsystem(from) && !machineFile.test(to);
}

/** Folders of machines/ that any subsystem may use at run time. */
const shared: ReadonlySet<string> = new Set(['kit', 'entities']);

type Row = (to: string, kind: ImportKind, from: string) => boolean;

/** The table of the house, one row per room: whether an import that leaves its room or names a package is allowed. */
const rows: Readonly<Record<Room, Row>> = {
  machines: (to, kind, from) => {
    if (manifestFile.test(from)) return isOfManifest({ from, to, kind });
    if (roomOf(to) === undefined) return isOf(to, 'xstate', 'zod');
    if (roomOf(to) !== 'machines') return false;
    if (from === 'machines/actors.ts') return kind === 'type' && !manifestFile.test(to);
    const [own, other] = [subsystem(from), subsystem(to)];
    if (own === undefined || other === undefined || other === own || shared.has(other))
      return own !== 'kit' || other === 'kit';
    return kind === 'type' && eventsFile.test(to);
  },
  drivers: (to, kind) => {
    if (roomOf(to) === undefined || roomOf(to) === 'drivers') return true;
    return isOf(to, 'machines/kit') || (kind === 'type' && eventsFile.test(to));
  },
  profiles: (to) => !isOf(to, 'actors', 'routes', 'ui', 'bin', 'test', 'hono', '@hono'),
  actors: (to, kind) => {
    if (isOf(to, 'routes', 'ui', 'bin', 'test', 'hono', '@hono')) return false;
    return kind === 'type' || !isOf(to, 'drivers', 'profiles') || isOf(to, 'drivers/kit');
  },
  routes: (to) => {
    if (isOf(to, 'drivers', 'profiles', 'bin', 'test')) return false;
    if (isOf(to, 'actors')) return isOf(to, 'actors/kit');
    return !/^machines\/.*\/machine\.ts$/.test(to);
  },
  ui: (to, kind, from) => {
    if (roomOf(to) === 'ui' || isOf(to, 'hono')) return true;
    if (roomOf(to) === undefined) return isOf(to, '@mdi/js', 'uqr') || from.startsWith('ui/elements/');
    return kind === 'type' && roomOf(to) === 'machines';
  },
  bin: () => true,
  test: () => true,
};

/** Whether the table allows an import. */
export function isAllowed({ from, to, kind }: Edge): boolean {
  const room = roomOf(from);
  return room === undefined || rows[room](to, kind, from);
}

/**
 * Every way on which a manifest reaches at run time what it must not: a walk, which would go over manifests that are
 * not made yet, or a machine, which readers of manifests do not need. Each as the files on the way.
 */
export function wrongWays(edges: readonly Edge[]): readonly string[] {
  const next = new Map<string, readonly string[]>();
  for (const { from, to, kind } of edges)
    if (kind === 'value' && roomOf(to) === 'machines') next.set(from, [...(next.get(from) ?? []), to]);
  return [...next.keys()]
    .filter((file) => manifestFile.test(file))
    .flatMap((manifest) => {
      const seen = new Set<string>();
      const from = (way: readonly string[], file: string): readonly string[] => {
        if (seen.has(file)) return [];
        seen.add(file);
        const reached = [...way, file];
        if (isWalk(file) || machineFile.test(file)) return [reached.join(' -> ')];
        return (next.get(file) ?? []).flatMap((to) => from(reached, to));
      };
      return from([], manifest);
    });
}
