import { join } from 'node:path';
import type { Added, Step } from '#machines/install/events.ts';
import { errorCode } from '#drivers/kit/error-code.ts';
import { ok, refuse, type Result } from '#machines/kit/result.ts';
import type { RunCommand } from './command.ts';
import { sha256, writeWhole } from './files.ts';
import { DOCUMENT } from '#drivers/store/folder.ts';
import { type Given, givenFile, givenText, mergeGiven, parseGiven } from './given-file.ts';
import { filesOf } from './home-files.ts';
import type { ManifestFile } from './manifest-file.ts';
import { findPerson } from './people.ts';
import { type ProgramSource, copyProgram } from './program.ts';
import { systemctlFor } from './step-state.ts';

export interface Adding {
  readonly run: RunCommand;
  readonly source: ProgramSource;
  /** Folder of the program, with the list and the copies of replaced files. */
  readonly folder: string;
  readonly manifest: ManifestFile;
  /** Settings and sign-in to leave for the agent; null for none. */
  readonly given: Given | null;
}

/** Longest run of apt in milliseconds, for a slow line and a slow card. */
const aptMs = 30 * 60_000;

/** Longest stop of a unit in milliseconds, its last steps included. */
const STOP_MS = 40_000;

const lastLine = (text: string): string => text.trim().split('\n').at(-1)?.slice(0, 300) ?? '';

async function done(
  adding: Adding,
  command: string,
  args: readonly string[],
  withinMs?: number,
): Promise<Result<null, 'failed'>> {
  const { code, err, out } = await adding.run(command, args, withinMs);
  if (code === 0) return ok(null);
  const why = lastLine(err) || lastLine(out) || `exit code ${code}`;
  return refuse('failed', `"${[command, ...args].join(' ').slice(-120)}" failed: ${why}`);
}

/** Names that `apt-get -s install` says would be newly installed. */
export const newlyInstalled = (simulated: string): readonly string[] =>
  simulated.split('\n').flatMap((line) => {
    const [, name, upgraded] = /^Inst (\S+) (\[)?/.exec(line) ?? [];
    return name === undefined || upgraded !== undefined ? [] : [name];
  });

/** Installs all missing packages at once, and notes those that apt would newly install. */
export async function addPackages(adding: Adding, names: readonly string[]): Promise<Result<null, 'failed'>> {
  const apt = [
    '-q',
    '-y',
    '--no-install-recommends',
    '--no-remove',
    '-o',
    'DPkg::Lock::Timeout=300',
    '-o',
    'Acquire::Retries=3',
  ];
  // An interrupted installation of packages blocks every other.
  await adding.run('dpkg', ['--configure', '-a'], aptMs);
  const simulated = await adding.run('apt-get', [...apt, '-s', 'install', ...names], 120_000);
  if (simulated.code !== 0)
    return refuse('failed', `apt-get cannot install ${names.join(', ')}: ${lastLine(simulated.err)}`);
  adding.manifest.note(...newlyInstalled(simulated.out).map((name): Added => ({ kind: 'package', name })));
  return done(adding, 'apt-get', [...apt, 'install', ...names], aptMs);
}

function keepBefore(adding: Adding, step: Extract<Step, { kind: 'file' }>): string | null {
  const found = filesOf(step.owner).read(step.path);
  if (found === null) return null;
  const name = `${adding.manifest.read().added.length}-${step.path.split('/').at(-1) ?? 'file'}`;
  writeWhole(join(adding.folder, 'before', name), found.text, found.mode);
  return name;
}

function addFile(adding: Adding, step: Extract<Step, { kind: 'file' }>): Result<null, 'failed'> {
  const files = filesOf(step.owner);
  // A file that is already Sconce's is not worth a copy.
  const known = adding.manifest.read().added.some((entry) => entry.kind === 'file' && entry.path === step.path);
  try {
    const before = known ? null : keepBefore(adding, step);
    const folders = files.missing(step.path).map((path): Added => ({ kind: 'folder', path, owner: step.owner }));
    adding.manifest.note(...folders, {
      kind: 'file',
      path: step.path,
      sha256: sha256(step.text),
      owner: step.owner,
      before,
    });
    files.write(step.path, step.text, step.mode);
    return ok(null);
  } catch (failure) {
    return refuse('failed', `${step.path} cannot be written (${errorCode(failure)}).`);
  }
}

function addProgram(adding: Adding): Result<null, 'failed'> {
  try {
    copyProgram(adding.source, adding.folder);
    return ok(null);
  } catch (failure) {
    return refuse('failed', `The program cannot be copied to ${adding.folder} (${errorCode(failure)}).`);
  }
}

async function startUnit(adding: Adding, step: Extract<Step, { kind: 'unit' }>): Promise<Result<null, 'failed'>> {
  const [command, args] = systemctlFor(step.person);
  adding.manifest.note({ kind: 'unit', name: step.name, person: step.person });
  const enabled = await done(adding, command, [...args, 'enable', step.name]);
  if (!enabled.ok) return enabled;
  // The running program may be the old one: it must be gone before a check finds the new one alive. The result is
  // ignored, since a unit that never ran cannot be stopped.
  await adding.run(command, [...args, 'stop', step.name], STOP_MS);
  // Not waited for: a missing screen must not block the installation.
  return done(adding, command, [...args, '--no-block', 'start', step.name]);
}

/**
 * Reads a data folder with the rights of its owner, and writes the copy with those of its new user. The document comes
 * last: without one an interrupted copy is repeated. The browser's profile is not copied.
 */
const COPY = `set -euo pipefail
from=$1 owner=$2 to=$3 user=$4 document=$5
install -d -m 0700 -o "$user" -g "$user" -- "$to"
runuser -u "$owner" -- tar -C "$from" --exclude=./browser --exclude=./tmp --exclude=./lock --exclude="./$document" -cf - . |
  runuser -u "$user" -- tar -C "$to" --no-overwrite-dir -xf -
runuser -u "$owner" -- cat -- "$from/$document" |
  runuser -u "$user" -- sh -euc 'umask 077; cat >"$1.new"; sync "$1.new"' sh "$to/$document"
runuser -u "$user" -- sh -euc '[ -s "$1.new" ]; mv -fT -- "$1.new" "$1"' sh "$to/$document"`;

/** Longest copy of settings, in milliseconds. */
const copyMs = 120_000;

const copySettings = (
  adding: Adding,
  { from, owner, to, user }: Extract<Step, { kind: 'settings' }>,
): Promise<Result<null, 'failed'>> =>
  done(adding, 'bash', ['-c', COPY, 'bash', from, owner.name, to, user, DOCUMENT], copyMs);

/**
 * Creates the data folder of a kiosk user, as systemd would. A folder that an uninstallation left belongs to root, and
 * is given back to its user.
 */
const MAKE_DATA = `set -euo pipefail
to=$1 user=$2
[ ! -d "$to" ] || [ "$(stat -c %U -- "$to")" = "$user" ] || chown -RhP -- "$user:$user" "$to"
install -d -m 0700 -o "$user" -g "$user" -- "$to"`;

const makeData = (
  adding: Adding,
  { folder, user, inHome }: Extract<Step, { kind: 'given' }>,
): Promise<Result<null, 'failed'>> =>
  inHome
    ? done(adding, 'runuser', ['-u', user, '--', 'mkdir', '-p', '-m', '0700', '--', folder])
    : done(adding, 'bash', ['-c', MAKE_DATA, 'bash', folder, user]);

/** Leaves settings and sign-in for the agent to take; never in the arguments of a command, which all users can see. */
async function leaveGiven(adding: Adding, step: Extract<Step, { kind: 'given' }>): Promise<Result<null, 'failed'>> {
  if (adding.given === null) return ok(null);
  const made = await makeData(adding, step);
  if (!made.ok) return made;
  const [person, file] = [findPerson(step.user), givenFile(step.folder)];
  if (person === null) return refuse('failed', `There is no user ${step.user} on this machine.`);
  try {
    const files = filesOf(person);
    adding.manifest.note({ kind: 'given', folder: step.folder, user: step.user });
    const left = files.read(file);
    files.write(file, givenText(mergeGiven(left === null ? null : parseGiven(left.text), adding.given)), 0o600);
    return ok(null);
  } catch (failure) {
    return refuse('failed', `${file} cannot be written (${errorCode(failure)}).`);
  }
}

/** Adds one thing, after noting it: after an interruption at any moment, running it again finishes the work. */
export async function add(adding: Adding, step: Exclude<Step, { kind: 'package' }>): Promise<Result<null, 'failed'>> {
  switch (step.kind) {
    case 'group':
      adding.manifest.note({ kind: 'group', name: step.name });
      return done(adding, 'groupadd', ['--system', step.name]);
    case 'user':
      adding.manifest.note({ kind: 'user', name: step.name });
      return done(adding, 'useradd', [
        '--system',
        '--user-group',
        '--home-dir',
        step.home,
        '--no-create-home',
        '--shell',
        '/usr/sbin/nologin',
        '--comment',
        'Sconce wall panel',
        step.name,
      ]);
    case 'membership':
      adding.manifest.note({ kind: 'membership', user: step.user, group: step.group });
      return done(adding, 'usermod', ['-a', '-G', step.group, step.user]);
    case 'program':
      return addProgram(adding);
    case 'file':
      return addFile(adding, step);
    case 'linger':
      adding.manifest.note({ kind: 'linger', user: step.user });
      return done(adding, 'loginctl', ['enable-linger', step.user]);
    case 'settings':
      return copySettings(adding, step);
    case 'given':
      return leaveGiven(adding, step);
    case 'unit':
      return startUnit(adding, step);
  }
}

/** Service managers, kernel modules and device subsystems that the new files concern. */
export interface NewFiles {
  readonly persons: readonly Parameters<typeof systemctlFor>[0][];
  readonly modules: readonly string[];
  readonly subsystems: readonly string[];
}

/**
 * Makes the system load new files: units, device rules and modules. A container refuses some of these, which is not an
 * error.
 */
export async function loadNewFiles(run: RunCommand, { persons, modules, subsystems }: NewFiles): Promise<void> {
  for (const person of persons) {
    // Lingering starts a user's manager asynchronously; this waits for it.
    if (person !== null) await run('systemctl', ['start', `user@${person.uid}.service`], 60_000);
    const [command, args] = systemctlFor(person);
    await run(command, [...args, 'daemon-reload'], 60_000);
  }
  for (const name of modules) await run('modprobe', [name]);
  await run('udevadm', ['control', '--reload']);
  // Without a subsystem this would trigger every device of the machine.
  if (subsystems.length > 0)
    await run('udevadm', ['trigger', '--action=change', ...subsystems.map((name) => `--subsystem-match=${name}`)]);
}
