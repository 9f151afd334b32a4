import type { Entry, Trusted } from './events.ts';

/** Who else can change an entry, or replace it in its folder. */
export type Writer = 'owner' | 'group' | 'everybody';

const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;
const STICKY = 0o1000;

/**
 * Who besides root and the caller can write an entry; null for no one. In a sticky folder above, such as `/tmp`, no
 * user can replace another's entry (unlink(2)); in what is copied itself, adding a file is enough.
 */
export function otherWriter({ kind, isAbove, uid, gid, mode }: Entry, trusted: Trusted): Writer | null {
  if (!trusted.uids.includes(uid)) return 'owner';
  // The mode of a link has no meaning.
  if (kind === 'link' || (isAbove && (mode & STICKY) !== 0)) return null;
  if ((mode & OTHERS_WRITE) !== 0) return 'everybody';
  return (mode & GROUP_WRITES) !== 0 && !trusted.gids.includes(gid) ? 'group' : null;
}

/** Most places listed in the warning. */
const NAMED = 3;

const words: Readonly<Record<Writer, string>> = {
  owner: 'another user owns it',
  group: 'its group can write',
  everybody: 'everyone can write',
};

/** Warns the owner of a checkout that others can write to; empty if no one else can. */
export function writableNotes(folder: string, entries: readonly Entry[], trusted: Trusted): readonly string[] {
  const open = entries.flatMap((entry) => {
    const writer = otherWriter(entry, trusted);
    return writer === null ? [] : [`${entry.path} (${words[writer]})`];
  });
  if (open.length === 0) return [];
  const named = open.slice(0, NAMED).join(', ');
  const more = open.length > NAMED ? `, and ${open.length - NAMED} more` : '';
  return [
    `Warning: users other than you and root can write to what this is installed from: ${named}${more}.`,
    `They may have changed what will run on this machine, as root during the installation. Take a fresh copy into a folder of your own, or make sure that nothing was changed and close it: sudo chown -R "$USER": ${folder} && chmod -R go-w ${folder}`,
  ];
}
