import { ownUser } from '#drivers/kit/own-user.ts';
import type { Fix, Verdict } from '#machines/kit/verdict.ts';
import type { DisplayFacts, RouteName } from '#machines/screen/events.ts';

import type { Refusals } from './find-display.ts';
import type { RouteRefusal } from './route.ts';

const noBacklight: Verdict = {
  state: 'not_here',
  reason: 'no-backlight-device',
  detail: 'Sconce found no backlight in /sys/class/backlight.',
  missing: 'A backlight that the system can control.',
  fix: null,
};

/**
 * The verdict if a backlight may not be written. `user` is the name the agent runs under; null inserts the user who
 * pastes the command.
 */
export const notWritable = (name: string, user: string | null = null): Verdict => ({
  state: 'needs_you',
  reason: 'backlight-not-writable',
  detail: `The backlight "${name}" is here, but this user may not change it.`,
  missing: 'The right to write the backlight.',
  fix: {
    command: [
      `printf '%s\\n' 'ACTION=="add|change", SUBSYSTEM=="backlight", RUN+="/bin/chgrp video $sys$devpath/brightness $sys$devpath/bl_power", RUN+="/bin/chmod g+w $sys$devpath/brightness $sys$devpath/bl_power"'`,
      '| sudo tee /etc/udev/rules.d/60-sconce-backlight.rules',
      '&& sudo udevadm control --reload',
      '&& sudo udevadm trigger --action=change --subsystem-match=backlight',
      `&& sudo usermod -aG video ${user ?? '"$USER"'}`,
    ].join(' '),
    effect:
      'Gives the group video the right to change the backlight and adds the user of Sconce to it. Restart the panel for this to take effect.',
  },
});

/** The verdict on a display number beyond those that this machine has. */
export const noFurtherDisplay: Verdict = {
  state: 'not_here',
  reason: 'no-further-display',
  detail: 'This machine has no further display.',
  missing: 'Another display.',
  fix: null,
};

const routeNames = ['backlight', 'wlopm', 'kscreen', 'xset', 'ddc', 'dimming'] as const satisfies readonly RouteName[];

/** Name of each route for the owner. */
const routeWords: Readonly<Record<RouteName, string>> = {
  adb: 'the Android panel (adb)',
  backlight: 'the backlight of the kernel',
  wlopm: 'the compositor (wlopm)',
  kscreen: 'KDE (kscreen-doctor)',
  xset: 'the X server (xset)',
  ddc: 'the monitor itself (ddcutil)',
  dimming: 'the picture on an X server (xrandr)',
};

const refusalWords: Readonly<Record<RouteRefusal, string>> = {
  'not-installed': 'not installed',
  'no-answer': 'no answer in time',
  failed: 'it reported an error',
  'not-understood': 'its answer made no sense',
  'no-session': 'no such session runs for this user',
  'other-users': 'the session belongs to another user',
  'not-permitted': 'this user may not',
  'nothing-there': 'none found',
  gone: 'it has gone',
};

/** One sentence about what was tried, and the result of each. */
export const evidenceOf = (refusals: Refusals): string =>
  routeNames
    .flatMap((name) => {
      const refusal = refusals[name];
      return refusal === undefined ? [] : [`${routeWords[name]}: ${refusalWords[refusal.reason]}`];
    })
    .join('; ');

const install = (name: string, effect: string): Fix => ({ command: `sudo apt-get install -y ${name}`, effect });

/** True if a monitor could be controlled over its cable: only these connectors have the wires for it. */
const hasCable = (connected: readonly string[]): boolean =>
  connected.some((name) => /^(?:HDMI|DP|DVI|VGA)-/.test(name));

/** The command that most likely makes a route usable; null if none would. */
function fixFor(refusals: Refusals, connected: readonly string[]): Fix | null {
  const reason = (name: RouteName): RouteRefusal | undefined => refusals[name]?.reason;
  const waylandRuns = reason('wlopm') !== 'no-session' && reason('wlopm') !== 'other-users';
  if (waylandRuns && reason('wlopm') === 'not-installed' && reason('kscreen') !== undefined) {
    return install(
      'wlopm',
      'Installs the small tool with which labwc, sway and their relatives switch a screen off and on.',
    );
  }
  if (reason('xset') === 'not-installed')
    return install(
      'x11-xserver-utils',
      'Installs the tools with which an X server switches its monitors and dims its picture.',
    );
  if (!hasCable(connected)) return null;
  if (reason('ddc') === 'not-installed')
    return install('ddcutil', 'Installs the tool that talks to the monitor itself over its cable.');
  if (reason('ddc') === 'not-permitted' || reason('ddc') === 'failed') {
    return {
      command: [
        'sudo modprobe i2c-dev',
        'echo i2c-dev | sudo tee /etc/modules-load.d/sconce-i2c.conf',
        `sudo usermod -aG i2c ${ownUser() ?? '"$USER"'}`,
      ].join(' && '),
      effect:
        'Lets the user of Sconce talk to monitors over their cables, now and after a reboot. Restart the panel for it to take effect.',
    };
  }
  return null;
}

const sessionRoutes = ['wlopm', 'kscreen', 'xset', 'dimming'] as const satisfies readonly RouteName[];

/** The verdict if no route reaches a display; `connected` lists the connectors with a display. */
export function judgeRoutes(refusals: Refusals, connected: readonly string[]): Verdict {
  const { backlight } = refusals;
  if (backlight?.reason === 'not-permitted') return notWritable(backlight.message, ownUser());
  if (Object.keys(refusals).every((name) => name === 'backlight')) return noBacklight;
  if (connected.length === 0 && sessionRoutes.every((name) => refusals[name]?.reason === 'no-session')) {
    return {
      state: 'not_here',
      reason: 'no-display',
      detail: 'No screen is connected to this machine, and no session draws on one. Sconce keeps checking.',
      missing: 'A screen.',
      fix: null,
    };
  }
  const fix = fixFor(refusals, connected);
  return {
    state: fix === null ? 'not_here' : 'needs_you',
    reason: 'no-display-route',
    detail: `Nothing here can dim or switch a screen. Tried: ${evidenceOf(refusals)}.`,
    missing: 'A screen that the system can control.',
    fix,
  };
}

/** What a display that was found cannot do, and what was tried; undefined if it can do everything. */
export function remarkOf(
  display: DisplayFacts,
  refusals: Refusals,
  connected: readonly string[],
): DisplayFacts['remark'] {
  const { backlight } = refusals;
  const dims = display.routes?.brightness ?? null;
  if (display.power && dims !== null && dims !== 'dimming') return undefined;
  const lacks = display.power ? 'A way to dim the lamp of this screen.' : 'A way to switch this screen off.';
  const fix =
    backlight?.reason === 'not-permitted' ? notWritable(backlight.message, ownUser()).fix : fixFor(refusals, connected);
  const evidence = evidenceOf(refusals);
  return { missing: evidence === '' ? lacks : `${lacks} Tried: ${evidence}.`, fix };
}
