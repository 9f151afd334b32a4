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

type Row = (to: string, kind: ImportKind, from: string) => boolean;

/** The table of the house, one row per room: whether an import that leaves its room or names a package is allowed. */
const rows: Readonly<Record<Room, Row>> = {
  machines: (to, kind, from) => {
    if (roomOf(to) === undefined) return isOf(to, 'xstate', 'zod');
    if (roomOf(to) !== 'machines') return false;
    const [own, other] = [subsystem(from), subsystem(to)];
    if (own === undefined || other === undefined || other === own || other === 'kit')
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
export const isAllowed = ({ from, to, kind }: Edge): boolean => {
  const room = roomOf(from);
  return room === undefined || rows[room](to, kind, from);
};
