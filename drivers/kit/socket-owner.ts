import { lstat, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const isOf = (owner: number, uid: number): boolean => owner === uid || owner === 0;

/**
 * Whose a socket's file is: `own` if it and its folder belong to this user or to root, `other` if another user could
 * have put it there, `none` if there is no socket. A link is none.
 */
export async function socketOwner(path: string, uid: number): Promise<'own' | 'other' | 'none'> {
  try {
    const [entry, folder] = await Promise.all([lstat(path), stat(dirname(path))]);
    if (!entry.isSocket()) return 'none';
    return isOf(entry.uid, uid) && isOf(folder.uid, uid) ? 'own' : 'other';
  } catch {
    return 'none';
  }
}
