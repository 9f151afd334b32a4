import type { Verdict } from '#machines/kit/verdict.ts';

/** Said where the kernel shows no backlight. */
export const noBacklight: Verdict = {
  state: 'not_here',
  reason: 'no-backlight-device',
  detail: 'Sconce looked for a backlight in /sys/class/backlight and the system shows none.',
  missing: 'A backlight that the system can control.',
  fix: null,
};

/** Said where a backlight is there and may not be written; `user` is who the agent runs as, null for whoever pastes the command. */
export const notWritable = (name: string, user: string | null = null): Verdict => ({
  state: 'needs_you',
  reason: 'backlight-not-writable',
  detail: `The backlight "${name}" is here, and this user may not change it.`,
  missing: 'The right to write the backlight.',
  fix: {
    command: [
      `printf '%s\\n' 'ACTION=="add|change", SUBSYSTEM=="backlight", RUN+="/bin/chgrp video $sys$devpath/brightness $sys$devpath/bl_power", RUN+="/bin/chmod g+w $sys$devpath/brightness $sys$devpath/bl_power"'`,
      '| sudo tee /etc/udev/rules.d/60-sconce-backlight.rules',
      '&& sudo udevadm control --reload',
      '&& sudo udevadm trigger --action=change --subsystem-match=backlight',
      `&& sudo usermod -aG video ${user ?? '"$USER"'}`,
    ].join(' '),
    effect: 'Gives the group video the right to change the backlight and adds the user of Sconce to it. Restart the panel for the group to count.',
  },
});
