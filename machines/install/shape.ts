import { ok, refuse, type Result } from '../kit/result.ts';
import type { FoundNode, InstallWish, Look, Person, Shape } from './events.ts';

/** Name of the panel's own user on a machine without a desktop. */
export const kioskUserName = 'sconce';

/** Why nothing can be planned. */
export type InstallRefusal =
  | 'no-systemd'
  | 'other-shape'
  | 'no-user'
  | 'node-too-old'
  | 'no-package-lists'
  | 'no-compositor';

/** The oldest Node.js that runs the bundle (package.json, "engines"): major and minor. */
const nodeFloor = [20, 19] as const;

/** Whether a version of Node.js, also as Debian writes it, is new enough. */
export const nodeFits = (version: string): boolean => {
  const [, major, minor] = /^(?:\d+:)?v?(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined || minor === undefined) return false;
  return Number(major) > nodeFloor[0] || (Number(major) === nodeFloor[0] && Number(minor) >= nodeFloor[1]);
};

/** Which shape: as it is installed, else as asked, else what the machine looks like; with the reason in words. */
export const chooseShape = (
  look: Look,
  wish: InstallWish,
): Result<{ readonly shape: Shape; readonly because: string }, InstallRefusal> => {
  if (look.installed !== null) {
    const { shape } = look.installed;
    if (wish.shape !== null && wish.shape !== shape) {
      return refuse(
        'other-shape',
        `Sconce is installed here with --session ${shape}. Run "sconce uninstall" first, then install again; settings are kept.`,
      );
    }
    return ok({ shape, because: 'it is installed this way' });
  }
  if (wish.shape !== null) return ok({ shape: wish.shape, because: 'you asked for it' });
  return look.desktop === null
    ? ok({ shape: 'kiosk', because: 'this machine has no desktop session' })
    : ok({ shape: 'user', because: look.desktop });
};

/** Who the panel runs as in somebody's session: who was named, whose session it is, or who called. */
export const choosePerson = (look: Look, wish: InstallWish): Result<Person, InstallRefusal> => {
  const known = [look.named, look.desktopUser, look.caller].filter((person) => person !== null);
  const person = wish.user === null ? known[0] : look.named;
  if (person != null && person.uid !== 0) return ok(person);
  if (wish.user !== null) return refuse('no-user', `There is no ordinary user ${wish.user} on this machine.`);
  return refuse(
    'no-user',
    'Nobody is signed in to the desktop. Call it with sudo as the user of the desktop, or sign in there first.',
  );
};

/** Node.js of the unit: the first that fits and that the unit may run, else Debian's; a refusal says what to do. */
export const chooseNode = (
  look: Look,
  wish: InstallWish,
): Result<{ readonly path: string; readonly install: boolean }, InstallRefusal> => {
  const fits = (node: FoundNode): boolean => node.open && nodeFits(node.version);
  const found = look.nodes.find(fits);
  if (found !== undefined) return ok({ path: found.path, install: false });
  const candidate = look.packages['nodejs']?.candidate ?? null;
  if (wish.packages && candidate !== null && nodeFits(candidate)) return ok({ path: '/usr/bin/node', install: true });
  const hidden = look.nodes.find((node) => nodeFits(node.version));
  const here =
    hidden === undefined
      ? 'No Node.js 20.19 or newer is here for all users.'
      : `Node.js ${hidden.version} is here, but in a place that a service cannot run it from (${hidden.path}).`;
  const release = candidate === null ? '' : ` This release of Debian has ${candidate}.`;
  return refuse(
    'node-too-old',
    `${here}${release} Debian 13 brings the right version; on an older one follow https://nodejs.org/en/download for a package that goes to /usr/bin, then run this again. Nothing was changed.`,
  );
};
