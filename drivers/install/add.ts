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
import { type ProgramSource, putProgram } from './program.ts';
import { systemctlFor } from './step-state.ts';

/** What adding needs, and the list it keeps. */
export interface Adding {
  readonly run: RunCommand;
  readonly source: ProgramSource;
  /** Folder of the program, with the list and the copies of what was there before. */
  readonly folder: string;
  readonly manifest: ManifestFile;
  /** What the panel is given; null for nothing. */
  readonly given: Given | null;
}

/** Longest that apt may take, in milliseconds: a slow line and a slow card. */
const aptMs = 30 * 60_000;

/** Longest that a unit may take to stop, its last steps included, in milliseconds. */
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

/** Installs all packages that are missing in one go; noted is what apt says it would newly install. */
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
  // An installation of packages that was broken off holds up every other.
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
  // Of a file that is Sconce's already there is nothing of before to keep.
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
    putProgram(adding.source, adding.folder);
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
  // What runs may be the program of before: it is gone before anybody checks whether the new one lives. What never ran
  // cannot be stopped.
  await adding.run(command, [...args, 'stop', step.name], STOP_MS);
  // Not waited for: a screen that is missing must not hold this up.
  return done(adding, command, [...args, '--no-block', 'start', step.name]);
}

/**
 * Copies a data folder with the rights of its owner, and writes the copy with those of whom it is for; the document
 * last, since a copy that was broken off is made again where there is none. What the browser keeps is not taken.
 */
const COPY = `set -euo pipefail
from=$1 owner=$2 to=$3 user=$4 document=$5
install -d -m 0700 -o "$user" -g "$user" -- "$to"
runuser -u "$owner" -- tar -C "$from" --exclude=./browser --exclude=./tmp --exclude=./lock --exclude="./$document" -cf - . |
  runuser -u "$user" -- tar -C "$to" --no-overwrite-dir -xf -
runuser -u "$owner" -- cat -- "$from/$document" |
  runuser -u "$user" -- sh -euc 'umask 077; cat >"$1.new"; sync "$1.new"' sh "$to/$document"
runuser -u "$user" -- sh -euc '[ -s "$1.new" ]; mv -fT -- "$1.new" "$1"' sh "$to/$document"`;

/** Longest that copying settings may take, in milliseconds. */
const copyMs = 120_000;

const copySettings = (
  adding: Adding,
  { from, owner, to, user }: Extract<Step, { kind: 'settings' }>,
): Promise<Result<null, 'failed'>> =>
  done(adding, 'bash', ['-c', COPY, 'bash', from, owner.name, to, user, DOCUMENT], copyMs);

/**
 * Makes the data folder of a panel with a screen of its own, as systemd would: what an uninstallation left there is
 * root's, and becomes its user's again.
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

/** Leaves what the panel is given where its agent takes it; it is in no argument of a command, which all can see. */
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

/** Adds one thing, after it was noted: broken off at any moment, running it again finishes the work. */
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

/** Whose manager, which modules and the devices of which subsystems the new files speak of. */
export interface Notices {
  readonly persons: readonly Parameters<typeof systemctlFor>[0][];
  readonly modules: readonly string[];
  readonly subsystems: readonly string[];
}

/**
 * Makes the system take notice of new files: units, device rules and modules. A machine without devices of its own
 * refuses some; that is no fault.
 */
export async function takeNotice(run: RunCommand, { persons, modules, subsystems }: Notices): Promise<void> {
  for (const person of persons) {
    // Lingering starts a user's manager by and by; this waits for it.
    if (person !== null) await run('systemctl', ['start', `user@${person.uid}.service`], 60_000);
    const [command, args] = systemctlFor(person);
    await run(command, [...args, 'daemon-reload'], 60_000);
  }
  for (const name of modules) await run('modprobe', [name]);
  await run('udevadm', ['control', '--reload']);
  // Without a subsystem it would be every device of the machine.
  if (subsystems.length > 0)
    await run('udevadm', ['trigger', '--action=change', ...subsystems.map((name) => `--subsystem-match=${name}`)]);
}
