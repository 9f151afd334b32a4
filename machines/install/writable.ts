import type { Entry, Trusted } from './events.ts';

/** By whom else an entry can be changed, or replaced in its folder. */
export type Writer = 'owner' | 'group' | 'everybody';

const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;
const STICKY = 0o1000;

/**
 * Who besides root and the caller can write an entry; null for nobody. In a folder above that is sticky, as `/tmp` is,
 * nobody can replace what another has there (unlink(2)); in what is copied itself a new file is enough.
 */
export function otherWriter({ kind, isAbove, uid, gid, mode }: Entry, trusted: Trusted): Writer | null {
  if (!trusted.uids.includes(uid)) return 'owner';
  // The mode of a link says nothing.
  if (kind === 'link' || (isAbove && (mode & STICKY) !== 0)) return null;
  if ((mode & OTHERS_WRITE) !== 0) return 'everybody';
  return (mode & GROUP_WRITES) !== 0 && !trusted.gids.includes(gid) ? 'group' : null;
}

/** Most places that are named. */
const NAMED = 3;

const words: Readonly<Record<Writer, string>> = {
  owner: 'another user owns it',
  group: 'its group can',
  everybody: 'everybody can',
};

/** What the owner is told of a checkout that others can write; nothing where nobody else can. */
export function writableNotes(folder: string, entries: readonly Entry[], trusted: Trusted): readonly string[] {
  const open = entries.flatMap((entry) => {
    const writer = otherWriter(entry, trusted);
    return writer === null ? [] : [`${entry.path} (${words[writer]})`];
  });
  if (open.length === 0) return [];
  const named = open.slice(0, NAMED).join(', ');
  const more = open.length > NAMED ? `, and ${open.length - NAMED} more` : '';
  return [
    `Warning: others than you and root can write where this is installed from: ${named}${more}.`,
    `Whoever can may have changed what will run on this machine, as root during the installation. Take a fresh copy into a folder of your own, or make sure that nothing was changed and close it: sudo chown -R "$USER": ${folder} && chmod -R go-w ${folder}`,
  ];
}
