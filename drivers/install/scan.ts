import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FoundNode, MachineScan, Manifest, PackageState, Person } from '#machines/install/events.ts';
import { dataFolder, DOCUMENT } from '#drivers/store/folder.ts';
import type { RunCommand } from './command.ts';
import { findPerson, readGroups } from './people.ts';

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The folder does not exist, so there are none.
    return [];
  }
}

/** True if every user may run a file and services see it: no closed folder above it, and not in a home. */
function isOpen(path: string): boolean {
  if (/^\/(?:home|root|tmp|run)\//.test(path) || (statSync(path).mode & 0o005) !== 0o005) return false;
  for (let folder = dirname(path); folder !== '/'; folder = dirname(folder))
    if ((statSync(folder).mode & 0o001) === 0) return false;
  return true;
}

async function findNodes(run: RunCommand, broughtNode: boolean): Promise<readonly FoundNode[]> {
  const paths = ['/usr/bin/node', '/usr/local/bin/node', ...(broughtNode ? [] : [process.execPath])].filter(
    (path, at, all) => all.indexOf(path) === at && existsSync(path),
  );
  return Promise.all(
    paths.map(async (path) => {
      const { out } = await run(path, ['--version']);
      return { path, version: out.trim().replace(/^v/, ''), open: isOpen(path) && isOpen(realpathSync(path)) };
    }),
  );
}

/** States of packages from the output of `dpkg-query -W` and `apt-cache policy`. */
export function packageStates(
  names: readonly string[],
  dpkg: string,
  policy: string,
): Readonly<Record<string, PackageState>> {
  const installed = new Set(
    dpkg
      .split('\n')
      .map((line) => line.split(' '))
      .filter(([, state]) => state === 'installed')
      .map(([name]) => name),
  );
  const candidates = new Map<string, string>();
  let at = '';
  for (const line of policy.split('\n')) {
    const name = /^([a-z0-9][a-z0-9+.-]*)(?::\w+)?:$/.exec(line)?.[1];
    if (name !== undefined) at = name;
    const candidate = /^\s+Candidate: (.+)$/.exec(line)?.[1];
    if (candidate !== undefined && candidate !== '(none)') candidates.set(at, candidate);
  }
  return Object.fromEntries(
    names.map((name) => [name, { installed: installed.has(name), candidate: candidates.get(name) ?? null }]),
  );
}

/**
 * User of the first graphical session in the output of logind's `show-session`, one block each, except the panel's own
 * user.
 */
export function graphicalUser(blocks: readonly string[], except: string): string | null {
  for (const block of blocks) {
    const fact = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(block)?.[1] ?? '';
    // A greeter's session belongs to no person.
    if (/^(?:wayland|x11|mir)$/.test(fact('Type')) && fact('Class') === 'user' && fact('Name') !== except)
      return fact('Name');
  }
  return null;
}

/**
 * Lowest user id of a person: those below are of services, such as the greeter of a desktop (login.defs(5), UID_MIN).
 */
const FIRST_PERSON = 1000;

/**
 * User id of the first compositor's socket: logind does not know a compositor as graphical that was started from a
 * console.
 */
function socketOwner(kiosk: Person | null): number | null {
  const uids = namesIn('/run/user').filter(
    (uid) =>
      Number(uid) >= FIRST_PERSON &&
      Number(uid) !== kiosk?.uid &&
      namesIn(join('/run/user', uid)).some((name) => /^wayland-\d+$/.test(name)),
  );
  return uids.length === 0 ? null : Number(uids[0]);
}

async function findDesktop(
  run: RunCommand,
  kiosk: Person | null,
  kioskUser: string,
): Promise<{ readonly because: string | null; readonly user: Person | null }> {
  const { out } = await run('loginctl', ['list-sessions', '--no-legend', '--no-pager']);
  const ids = out
    .split('\n')
    .map((line) => line.trim().split(/\s+/)[0] ?? '')
    .filter((id) => /^\w+$/.test(id));
  const blocks = await Promise.all(
    ids
      .slice(0, 50)
      .map(async (id) => (await run('loginctl', ['show-session', id, '-p', 'Type', '-p', 'Class', '-p', 'Name'])).out),
  );
  const name = graphicalUser(blocks, kioskUser);
  if (name !== null) return { because: `${name} has a desktop session here`, user: findPerson(name) };
  const uid = socketOwner(kiosk);
  if (uid !== null) {
    const owner = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((line) => line.split(':')[2] === String(uid))
      ?.split(':')[0];
    if (owner !== undefined) return { because: `${owner} has a compositor running here`, user: findPerson(owner) };
  }
  return existsSync('/etc/systemd/system/display-manager.service')
    ? { because: 'this machine has a desktop to sign in to', user: null }
    : { because: null, user: null };
}

function callerOf(env: NodeJS.ProcessEnv): Person | null {
  const name = env['SUDO_USER'] ?? (process.getuid?.() === 0 ? undefined : env['USER']);
  return name === undefined || name === 'root' ? null : findPerson(name);
}

/** Data folder of `bin/run` of the first person in the list who has settings there; null if none has. */
export function findTried(persons: readonly (Person | null)[]): MachineScan['tried'] {
  for (const owner of persons) {
    if (owner === null) continue;
    const folder = dataFolder({ flag: undefined, env: {}, home: owner.home });
    if (existsSync(join(folder, DOCUMENT))) return { folder, owner };
  }
  return null;
}

/** The settings of `bin/run` that an installation on this machine copies, and an uninstallation mentions. */
export const triedHere = (): MachineScan['tried'] => findTried([callerOf(process.env), findPerson('root')]);

const templatesIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ['sconce.service', 'sconce-kiosk.service'].map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );

export interface Wanted {
  readonly packages: readonly string[];
  /** Name of the panel's own user. */
  readonly kioskUser: string;
  /** True if this process runs with the Node.js that the set-up brought for Sconce only. */
  readonly broughtNode: boolean;
  /** Name of the user that the caller gave. */
  readonly named: string | null;
  /** Folder of the unit files that came with the program. */
  readonly templates: string;
  /** The profile that this machine gets. */
  readonly profile: MachineScan['profile'];
  readonly screen: boolean;
  /** Settings of `bin/run`, if any. */
  readonly tried: MachineScan['tried'];
  /** The list of an earlier installation; null for none. */
  readonly manifest: Manifest | null;
}

/** Scans this machine; changes nothing. */
export async function scanMachine(run: RunCommand, wanted: Wanted): Promise<MachineScan> {
  const kiosk = findPerson(wanted.kioskUser);
  const [nodes, dpkg, policy, desktop, fonts, recorders, ...sound] = await Promise.all([
    findNodes(run, wanted.broughtNode),
    run('dpkg-query', ['-W', '-f', '${Package} ${db:Status-Status}\\n', ...wanted.packages]),
    run('apt-cache', ['policy', ...wanted.packages]),
    findDesktop(run, kiosk, wanted.kioskUser),
    run('find', ['/usr/share/fonts', '-name', '*.[ot]tf', '-print', '-quit']),
    Promise.all(['parec', 'arecord'].map((tool) => run('which', [tool]))),
    ...['wpctl', 'pactl', 'amixer'].map((tool) => run('which', [tool])),
  ]);
  const packages = packageStates(wanted.packages, dpkg.out, policy.out);
  const lists = Object.values(packages).some((state) => state.candidate !== null);
  return {
    root: process.getuid?.() === 0,
    systemd: existsSync('/run/systemd/system'),
    apt: policy.code === 127 ? 'none' : lists ? 'ready' : 'no-lists',
    nodes,
    broughtNode: wanted.broughtNode ? process.versions.node : null,
    packages,
    desktop: desktop.because,
    desktopUser: desktop.user,
    caller: callerOf(process.env),
    named: wanted.named === null ? null : findPerson(wanted.named),
    kioskUser: kiosk,
    groups: [...readGroups().keys()],
    backlight: namesIn('/sys/class/backlight').length > 0,
    screen: wanted.screen,
    outputs: namesIn('/sys/class/drm').some((name) => /^card\d+-/.test(name)),
    fonts: fonts.out.trim() !== '',
    soundTool: sound.some((tool) => tool.code === 0),
    recorder: recorders.some((tool) => tool.code === 0),
    profile: wanted.profile,
    tried: wanted.tried,
    installed:
      wanted.manifest === null
        ? null
        : { shape: wanted.manifest.shape, user: wanted.manifest.user, profile: wanted.manifest.profile },
    templates: templatesIn(wanted.templates),
  };
}
