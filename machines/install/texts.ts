import type { Requirement } from '../provisioning/events.ts';
import { ownField } from '../kit/own-field.ts';

/** Folder of the program; everything in it belongs to Sconce. */
export const programFolder = '/usr/local/lib/sconce';

/** Lock held by an installation or a removal while it changes something; gone after the next boot. */
export const installLock = '/run/sconce-install.lock';

/** Entry of the installed program; `program` is a link to the folder of one build, so that an update is one rename. */
const programEntry = `${programFolder}/program/dist/sconce.cjs`;

/** The Node.js that was copied with the program, if the system has none that is new enough. */
export const programNode = `${programFolder}/program/node`;

/** Data folder of the kiosk shape, created by systemd for the unit (StateDirectory). */
export const kioskData = '/var/lib/sconce';

/** Values for the placeholders of a unit. */
export interface UnitFacts {
  readonly node: string;
  readonly user: string;
  /** User id, for the session's folder `/run/user/<uid>`; null while the user does not exist yet. */
  readonly uid: number | null;
  readonly home: string;
  /** Groups of the device files. */
  readonly groups: readonly string[];
  /** The profile until another one is selected on the panel; null for the best match. */
  readonly profile: string | null;
  readonly compositor: string;
}

/** Replaces the `@NAME@` placeholders of a text. */
export function fill(template: string, facts: UnitFacts): string {
  const values: Readonly<Record<string, string>> = {
    NODE: facts.node,
    PROGRAM: `${programFolder}/program`,
    USER: facts.user,
    UID: facts.uid === null ? 'UID' : String(facts.uid),
    HOME: facts.home,
    GROUPS: facts.groups.join(' '),
    COMPOSITOR: facts.compositor,
    PROFILE: facts.profile === null ? '' : ` --default-profile ${facts.profile}`,
  };
  return template.replaceAll(/@([A-Z]+)@/g, (place, name: string) => ownField(values, name) ?? place);
}

/**
 * Lines that only the system's service manager can apply: a user's manager can neither change its user nor build the
 * file systems of a sandbox without a user namespace, in which the groups of the device files would be lost.
 */
const systemOnly =
  /^(?:User|Group|SupplementaryGroups|StateDirectory\w*|RuntimeDirectory\w*|Environment=XDG_RUNTIME_DIR|Protect\w+|Private\w+|ReadWritePaths|InaccessiblePaths|Device\w+|CapabilityBoundingSet|RemoveIPC|Wants|After|Requires)\b/;

/** The same unit for the service manager of one user, derived from the one text. */
export const userUnit = (unit: string): string =>
  unit
    .split('\n')
    .filter((line) => !systemOnly.test(line))
    .map((line) => (line.startsWith('WantedBy=') ? 'WantedBy=default.target' : line))
    .join('\n');

/** The script behind `sconce` on the command line. */
export const launcherText = (node: string): string => `#!/bin/sh\nexec ${node} ${programEntry} "$@"\n`;

/** The rules of the profile's drivers, each once, under the name of the driver that needs it. */
const driverRules = (requirements: readonly Requirement[]): readonly string[] =>
  requirements
    .filter(
      ({ driver, udev }, at) => udev.length > 0 && requirements.findIndex((other) => other.driver === driver) === at,
    )
    .flatMap(({ title, driver, udev }) => [`# ${title} (${driver}).`, ...udev]);

/**
 * Lets the group video write the backlight and, if needed, the group i2c reach monitors, and opens the devices of the
 * profile's drivers.
 */
export const udevText = (ddc: boolean, requirements: readonly Requirement[]): string =>
  [
    '# Brightness and power of a backlight, for the group video.',
    'ACTION=="add|change", SUBSYSTEM=="backlight", RUN+="/bin/chgrp video $sys$devpath/brightness $sys$devpath/bl_power", RUN+="/bin/chmod g+w $sys$devpath/brightness $sys$devpath/bl_power"',
    ...(ddc
      ? [
          '# Monitors that are set through their cable (DDC/CI), for the group i2c.',
          'SUBSYSTEM=="i2c-dev", GROUP="i2c", MODE="0660"',
        ]
      : []),
    ...driverRules(requirements),
    '',
  ].join('\n');

/** Kernel subsystems named by device rules, each once, in alphabetical order. */
export const ruleSubsystems = (text: string): readonly string[] =>
  [
    ...new Set(
      text
        .split('\n')
        .filter((line) => !line.startsWith('#'))
        .flatMap((line) => [...line.matchAll(/\bSUBSYSTEM=="([a-z0-9_-]{1,64})"/g)].map(([, name]) => name ?? '')),
    ),
  ].toSorted();

/** Lets one user reboot the machine through logind. */
export const polkitText = (user: string): string =>
  [
    '// The user of Sconce may reboot this machine, and nothing else.',
    'polkit.addRule(function (action, subject) {',
    `  var reboot = ["org.freedesktop.login1.reboot", "org.freedesktop.login1.reboot-multiple-sessions"];`,
    `  if (reboot.indexOf(action.id) >= 0 && subject.user === ${JSON.stringify(user)}) return polkit.Result.YES;`,
    '});',
    '',
  ].join('\n');

/** A session on the screen for a user without a password; nothing but the service manager can open it. */
export const pamText = [
  "# The session of the panel's own screen.",
  'auth     required pam_deny.so',
  'account  required pam_unix.so',
  'session  required pam_unix.so',
  'session  required pam_systemd.so class=user type=wayland',
  '',
].join('\n');
