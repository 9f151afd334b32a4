import { lstat, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const isOf = (owner: number, uid: number): boolean => owner === uid || owner === 0;

/**
 * Owner of a socket's file: `own` if it and its folder belong to this user or to root, `other` if another user could
 * have put it there, `none` if there is no socket. A link does not count as one.
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
