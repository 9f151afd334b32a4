import { ownUser } from '#drivers/kit/own-user.ts';
import { type Fix, type Verdict, working } from '#machines/kit/verdict.ts';

/** udev rules that let the group video write LEDs, one rule per line. */
export const ledRules: readonly string[] = [
  'ACTION=="add|change", SUBSYSTEM=="leds", RUN+="/bin/chgrp -f video $sys$devpath/brightness $sys$devpath/trigger $sys$devpath/multi_intensity", RUN+="/bin/chmod -f g+w $sys$devpath/brightness $sys$devpath/trigger $sys$devpath/multi_intensity"',
];

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** The verdict if the LEDs were found and may be written. */
export const ledsFound = (names: readonly string[]): Verdict =>
  working(
    'led-found',
    `The kernel shows ${quoted(names)}, and this user may set ${names.length === 1 ? 'it' : 'them'}.`,
  );

/** The verdict if the kernel shows no LED of that name. */
export const noLed = (wanted: string): Verdict => ({
  state: 'not_here',
  reason: 'no-led',
  detail: `The kernel shows no LED "${wanted}". Sconce looks for it every two seconds.`,
  missing: 'An LED of that name in /sys/class/leds.',
  fix: null,
});

/** The verdict if the value of an LED cannot be read. */
export const unreadableLed = (name: string): Verdict => ({
  state: 'not_here',
  reason: 'led-unreadable',
  detail: `The LED "${name}" is here but cannot be read.`,
  missing: 'An LED that the kernel can read.',
  fix: null,
});

const permit = (user: string): Fix => ({
  command: [
    `printf '%s\\n' ${ledRules.map((rule) => `'${rule}'`).join(' ')} | sudo tee /etc/udev/rules.d/60-sconce-leds.rules`,
    'sudo udevadm control --reload',
    'sudo udevadm trigger --action=change --subsystem-match=leds',
    `sudo usermod -aG video ${user}`,
  ].join(' && '),
  effect:
    'Lets the group video set LEDs, now and after a reboot, and adds Sconce’s user to it. Then restart the service, or log out and in again if you use bin/run.',
});

/** The verdict if LEDs exist but may not be written. */
export const ledsNotWritable = (names: readonly string[], user: string | null = ownUser()): Verdict => ({
  state: 'needs_you',
  reason: 'led-not-writable',
  detail: `The kernel shows ${quoted(names)}, but this user may not change ${names.length === 1 ? 'it' : 'them'}.`,
  missing: 'The right to write the LED.',
  fix: permit(user ?? '"$USER"'),
});
