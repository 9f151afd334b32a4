import { existsSync, lchownSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Added, Manifest, Person, Removal } from '#machines/install/events.ts';
import { errorCode } from '#drivers/kit/error-code.ts';
import { ok, refuse, type Result } from '#machines/kit/result.ts';
import type { RunCommand } from './command.ts';
import { readOrdinary, sha256 } from './files.ts';
import { givenFile } from './given-file.ts';
import { filesOf } from './home-files.ts';
import { findPerson, readGroups } from './people.ts';
import { systemctlFor } from './step-state.ts';

export interface Removing {
  readonly run: RunCommand;
  /** Folder of the program, with the list and the copies of replaced files. */
  readonly folder: string;
  /** True to remove files that were changed by hand too. */
  readonly purge: boolean;
}

/** Longest run of apt, in milliseconds. */
const aptMs = 10 * 60_000;

/** Null, or a sentence about what stays. */
type Removed = Result<string | null, 'failed'>;

const gone: Removed = ok(null);

async function done(removing: Removing, command: string, args: readonly string[], withinMs?: number): Promise<Removed> {
  const { code, err } = await removing.run(command, args, withinMs);
  return code === 0
    ? gone
    : refuse('failed', `${command} ${args[0] ?? ''} failed: ${err.trim().split('\n').at(-1)?.slice(0, 300) ?? ''}`);
}

function removeFile(removing: Removing, entry: Extract<Added, { kind: 'file' }>): Removed {
  const files = filesOf(entry.owner);
  files.remove(`${entry.path}.sconce-new`);
  const found = files.read(entry.path);
  const before = entry.before === null ? null : readOrdinary(join(removing.folder, 'before', basename(entry.before)));
  // Interrupted between note and write, or already restored.
  if (found !== null && found.text === before?.text) return gone;
  if (found !== null && sha256(found.text) !== entry.sha256 && !removing.purge)
    return ok(`${entry.path} was changed by hand and stays; --purge removes it too.`);
  if (before !== null) files.write(entry.path, before.text, before.mode);
  else if (found !== null) files.remove(entry.path);
  return gone;
}

function removeFolder(entry: Extract<Added, { kind: 'folder' }>): Removed {
  filesOf(entry.owner).removeEmpty(entry.path);
  return gone;
}

async function stopUnit(removing: Removing, entry: Extract<Added, { kind: 'unit' }>): Promise<Removed> {
  const [command, args] = systemctlFor(entry.person);
  const { code, err } = await removing.run(command, [...args, 'disable', '--now', entry.name], 60_000);
  if (entry.person !== null)
    filesOf(entry.person).remove(`${entry.person.home}/.config/systemd/user/default.target.wants/${entry.name}`);
  // Restores the console that the kiosk had replaced, if it is enabled.
  else if (
    entry.name === 'sconce-kiosk.service' &&
    (await removing.run('systemctl', ['is-enabled', 'getty@tty1.service'])).out.trim() === 'enabled'
  ) {
    await removing.run('systemctl', ['--no-block', 'start', 'getty@tty1.service']);
  }
  // Interrupted before the unit was written, or already removed.
  return code === 0 || /not (?:be found|found|exist|loaded)|No such file/i.test(err)
    ? gone
    : refuse('failed', `${entry.name} cannot be stopped: ${err.trim().slice(0, 300)}`);
}

async function removeUser(removing: Removing, name: string): Promise<Removed> {
  const person = findPerson(name);
  if (person === null) return gone;
  await removing.run(
    'systemctl',
    ['stop', `user@${person.uid}.service`, `user-runtime-dir@${person.uid}.service`],
    60_000,
  );
  await removing.run('loginctl', ['terminate-user', name]);
  return done(removing, 'userdel', [name]);
}

async function removeEntry(removing: Removing, entry: Added): Promise<Removed> {
  switch (entry.kind) {
    case 'unit':
      return stopUnit(removing, entry);
    case 'linger':
      return existsSync(join('/var/lib/systemd/linger', entry.user))
        ? done(removing, 'loginctl', ['disable-linger', entry.user])
        : gone;
    case 'given': {
      const person = findPerson(entry.user);
      // The user is gone, and root must not follow a path through a home.
      if (person === null) return gone;
      const [files, file] = [filesOf(person), givenFile(entry.folder)];
      for (const path of [file, `${file}.next`, `${file}.sconce-new`]) files.remove(path);
      return gone;
    }
    case 'file':
      return removeFile(removing, entry);
    case 'folder':
      return removeFolder(entry);
    case 'membership':
      return readGroups().get(entry.group)?.includes(entry.user) === true
        ? done(removing, 'gpasswd', ['-d', entry.user, entry.group])
        : gone;
    case 'user':
      return removeUser(removing, entry.name);
    case 'group':
      return readGroups().has(entry.name) ? done(removing, 'groupdel', [entry.name]) : gone;
    case 'package':
      return gone;
  }
}

function giveToRoot(path: string): void {
  lchownSync(path, 0, 0);
  if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) giveToRoot(join(path, name));
}

function settleFolder(removal: Extract<Removal, { kind: 'data' }>, owner: Person | null, userGoes: boolean): Removed {
  if (!existsSync(removal.folder)) return gone;
  // The owner is gone, and root must not follow a path through a home.
  if (owner === null && !userGoes) return ok(`${removal.folder} stays: its owner is no longer a user of this machine.`);
  // A folder in a home stays its user's. That of a removed user goes to root, since the user's id may be assigned
  // again.
  if (removal.remove && owner !== null && dirname(removal.folder) === '/var/lib') {
    // The content belongs to a user who existed before; the folder itself is in one of root's.
    filesOf(owner).empty(removal.folder);
    filesOf(null).removeEmpty(removal.folder);
  } else if (removal.remove) filesOf(owner).removeAll(removal.folder);
  else if (owner === null) giveToRoot(removal.folder);
  return gone;
}

async function removePackages(removing: Removing, names: readonly string[]): Promise<Removed> {
  const listed = await removing.run('dpkg-query', ['-W', '-f', '${Package} ${db:Status-Status}\\n', ...names]);
  const here = listed.out
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, state]) => state === 'installed')
    .map(([name]) => name ?? '');
  if (here.length === 0) return gone;
  const simulated = await removing.run('apt-get', ['-s', 'purge', ...here], 120_000);
  const others = [...simulated.out.matchAll(/^(?:Remv|Purg) (\S+)/gm)]
    .map(([, name]) => name ?? '')
    .filter((name) => !here.includes(name));
  if (others.length > 0)
    return ok(`The packages stay: without them ${[...new Set(others)].join(', ')} would be removed too.`);
  return done(removing, 'apt-get', ['-q', '-y', 'purge', ...here], aptMs);
}

/** Removes what was added, one after the other; returns sentences about what stays, or the first failure. */
export async function removeAll(
  removing: Removing,
  manifest: Manifest,
  removals: readonly Removal[],
): Promise<Result<readonly string[], 'failed'>> {
  const stays: string[] = [];
  const userGoes = manifest.added.some((entry) => entry.kind === 'user' && entry.name === manifest.user);
  const owner = userGoes ? null : findPerson(manifest.user);
  const packages = removals.flatMap((removal) =>
    removal.kind === 'entry' && removal.entry.kind === 'package' ? [removal.entry.name] : [],
  );
  const take = async (removal: Removal): Promise<Removed> => {
    try {
      if (removal.kind === 'entry') return await removeEntry(removing, removal.entry);
      return removal.kind === 'data' ? settleFolder(removal, owner, userGoes) : gone;
    } catch (failure) {
      const what =
        removal.kind === 'data'
          ? removal.folder
          : removal.kind === 'entry' && 'path' in removal.entry
            ? removal.entry.path
            : removal.kind;
      return refuse('failed', `${what} cannot be removed (${errorCode(failure)}).`);
    }
  };
  for (const removal of removals) {
    let removed = await take(removal);
    if (removal.kind === 'program') {
      await removing.run('systemctl', ['daemon-reload'], 60_000);
      await removing.run('udevadm', ['control', '--reload']);
      if (packages.length > 0) removed = await removePackages(removing, packages);
      if (removed.ok) rmSync(removing.folder, { recursive: true, force: true });
    }
    if (!removed.ok) return removed;
    if (removed.value !== null) stays.push(removed.value);
  }
  return ok(stays);
}
