import { readFileSync } from 'node:fs';
import type { Person } from '#machines/install/events.ts';

/** A user from a line of passwd(5); null if the line is invalid. */
export function personOf(line: string): Person | null {
  const [name, , uid, gid, , home] = line.split(':');
  if (name === undefined || name === '' || uid === undefined || gid === undefined || home === undefined) return null;
  const person = { name, uid: Number(uid), gid: Number(gid), home };
  return Number.isInteger(person.uid) && Number.isInteger(person.gid) && home.startsWith('/') ? person : null;
}

/** The local user of that name; null if there is none. */
export function findPerson(name: string, passwd = '/etc/passwd'): Person | null {
  const line = readFileSync(passwd, 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`${name}:`));
  return line === undefined ? null : personOf(line);
}

/** The groups of group(5) with their listed members. */
export const readGroups = (file = '/etc/group'): ReadonlyMap<string, readonly string[]> =>
  new Map(
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .filter((parts) => parts.length >= 4)
      .map(([name, , , members]) => [name ?? '', (members ?? '').split(',').filter((one) => one !== '')] as const),
  );
