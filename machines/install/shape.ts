import { ok, refuse, type Result } from '../kit/result.ts';
import { programFolder, programNode } from './texts.ts';
import type { FoundNode, InstallRequest, MachineScan, Person, Shape } from './events.ts';

/** Name of the panel's own user on a machine without a desktop. */
export const kioskUserName = 'sconce';

/** Why no plan can be made. */
export type InstallRefusal = 'other-shape' | 'no-user' | 'node-too-old' | 'no-package-lists' | 'no-compositor';

/** The oldest Node.js that runs the bundle (package.json, "engines"): major and minor. */
const nodeFloor = [20, 19] as const;

/** True if a version of Node.js, also in Debian's spelling, is new enough. */
export function nodeFits(version: string): boolean {
  const [, major, minor] = /^(?:\d+:)?v?(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined || minor === undefined) return false;
  return Number(major) > nodeFloor[0] || (Number(major) === nodeFloor[0] && Number(minor) >= nodeFloor[1]);
}

/** True if a Node.js is the one that the set-up brought (bin/setup/node.sh), or a copy of it beside the program. */
export const isBroughtNode = (path: string): boolean =>
  /\/\.cache\/node-[^/]+\//.test(path) || path.startsWith(`${programFolder}/`);

/**
 * The shape: as already installed, otherwise as requested, otherwise as the machine suggests; with the reason in
 * words.
 */
export function chooseShape(
  scan: MachineScan,
  request: InstallRequest,
): Result<{ readonly shape: Shape; readonly because: string }, InstallRefusal> {
  if (scan.installed !== null) {
    const { shape } = scan.installed;
    if (request.shape !== null && request.shape !== shape) {
      return refuse(
        'other-shape',
        `Sconce is installed here with --session ${shape}. Run "sconce uninstall" first, then install again; settings are kept.`,
      );
    }
    return ok({ shape, because: 'it is installed this way' });
  }
  if (request.shape !== null) return ok({ shape: request.shape, because: 'you asked for it' });
  return scan.desktop === null
    ? ok({ shape: 'kiosk', because: 'this machine has no desktop session' })
    : ok({ shape: 'user', because: scan.desktop });
}

/** The user that the panel runs as in a desktop session: the named one, the session's, or the calling one. */
export function choosePerson(scan: MachineScan, request: InstallRequest): Result<Person, InstallRefusal> {
  const known = [scan.named, scan.desktopUser, scan.caller].filter((person) => person !== null);
  const person = request.user === null ? known[0] : scan.named;
  if (person != null && person.uid !== 0) return ok(person);
  if (request.user !== null) return refuse('no-user', `There is no ordinary user ${request.user} on this machine.`);
  return refuse(
    'no-user',
    'No user is signed in to the desktop. Sign in there first, or name its user: sconce install --user NAME.',
  );
}

/**
 * Node.js for the unit: the first that is new enough and that the unit may run, otherwise Debian's, otherwise the one
 * that the set-up brought; a refusal says what to do.
 */
export function chooseNode(
  scan: MachineScan,
  request: InstallRequest,
): Result<{ readonly path: string; readonly install: boolean }, InstallRefusal> {
  const fits = (node: FoundNode): boolean => node.open && nodeFits(node.version);
  const found = scan.nodes.find(fits);
  if (found !== undefined) return ok({ path: found.path, install: false });
  const candidate = scan.packages['nodejs']?.candidate ?? null;
  if (request.packages && candidate !== null && nodeFits(candidate))
    return ok({ path: '/usr/bin/node', install: true });
  if (scan.broughtNode !== null && nodeFits(scan.broughtNode)) return ok({ path: programNode, install: false });
  const hidden = scan.nodes.find((node) => nodeFits(node.version));
  const here =
    hidden === undefined
      ? 'There is no Node.js 20.19 or newer that all users can run.'
      : `Node.js ${hidden.version} is installed, but where a service cannot run it (${hidden.path}).`;
  const release = candidate === null ? '' : ` This release of Debian has ${candidate}.`;
  return refuse(
    'node-too-old',
    `${here}${release} Debian 13 brings the right version; on an older one follow https://nodejs.org/en/download for a package that installs to /usr/bin, then run this again. Nothing was changed.`,
  );
}
