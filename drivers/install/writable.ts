import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Entry, Trusted } from '#machines/install/events.ts';

function entryAt(path: string, isAbove: boolean): Entry | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return null;
  const kind = found.isSymbolicLink() ? 'link' : found.isDirectory() ? 'folder' : 'file';
  return { path, kind, isAbove, uid: found.uid, gid: found.gid, mode: found.mode & 0o7777 };
}

function below(path: string): readonly Entry[] {
  const entry = entryAt(path, false);
  if (entry === null) return [];
  return [entry, ...(entry.kind === 'folder' ? readdirSync(path).flatMap((name) => below(join(path, name))) : [])];
}

function above(path: string): readonly Entry[] {
  const folder = dirname(path);
  const entry = entryAt(folder, true);
  return folder === path || entry === null ? [] : [entry, ...above(folder)];
}

/**
 * What an installation runs or copies of a checkout (its commands, the bundle, native packages, the running Node.js),
 * with the folders in between and above.
 */
export function installedFrom(checkout: string, node: string): readonly Entry[] {
  const root = realpathSync(checkout);
  const program = realpathSync(node);
  const inside = ['bin', 'dist', 'node_modules/koffi', 'node_modules/@koromix'].flatMap((name) =>
    below(join(root, name)),
  );
  const between = [root, join(root, 'node_modules')].map((path) => entryAt(path, false));
  const found = [...between, ...inside, ...below(program), ...above(program), ...above(root)];
  const known = new Map(
    found
      .filter((entry) => entry !== null)
      .toReversed()
      .map((entry) => [entry.path, entry]),
  );
  return [...known.values()].toReversed();
}

/**
 * Root, and the user who called sudo or else runs this; with that user's group if it has the same name and no other
 * member.
 */
export function trustedHere(env: NodeJS.ProcessEnv, groupFile = '/etc/group'): Trusted {
  const given = (name: string, own: number): number => (/^\d+$/.test(env[name] ?? '') ? Number(env[name]) : own);
  const uid = given('SUDO_UID', process.getuid?.() ?? 0);
  const gid = given('SUDO_GID', process.getgid?.() ?? 0);
  const user = env['SUDO_USER'] ?? env['USER'] ?? '';
  const isPrivate = readFileSync(groupFile, 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .some(([name, , id, members]) => Number(id) === gid && name === user && (members === '' || members === user));
  return { uids: [0, uid], gids: isPrivate ? [0, gid] : [0] };
}
