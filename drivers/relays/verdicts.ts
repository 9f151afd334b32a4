import { ownUser } from '#drivers/kit/own-user.ts';
import { type Verdict, working } from '#machines/kit/verdict.ts';

/** udev rule that lets the group gpio switch the supplies of `reg-userspace-consumer`. */
export const regulatorRules: readonly string[] = [
  'ACTION=="bind|add|change", SUBSYSTEM=="platform", DRIVER=="reg-userspace-consumer", RUN+="/bin/chgrp gpio $sys$devpath/state", RUN+="/bin/chmod g+w $sys$devpath/state"',
];

/** The verdict if a relay was found and may be switched; `what` names it within a sentence. */
export const relayFound = (what: string): Verdict =>
  working('relay-found', `The relay is ${what}, and this user may switch it.`);

export const noRelay = (what: string): Verdict => ({
  state: 'not_here',
  reason: 'no-relay',
  detail: `This machine shows no ${what}. Sconce looks for it every two seconds.`,
  missing: 'The device of the relay, as the profile names it.',
  fix: null,
});

/**
 * The verdict if this user may not use the device. Each subsystem has a separate file of rules, so that one fix does
 * not overwrite another.
 */
export const relayNotPermitted = (
  what: string,
  rules: readonly string[],
  subsystem: string,
  user: string | null = ownUser(),
): Verdict => ({
  state: 'needs_you',
  reason: 'relay-not-permitted',
  detail: `The relay is ${what}, but this user may not switch it.`,
  missing: 'The right to use the device.',
  fix: {
    command: [
      'sudo groupadd -rf gpio',
      `printf '%s\\n' ${rules.map((rule) => `'${rule}'`).join(' ')} | ` +
        `sudo tee /etc/udev/rules.d/60-sconce-${subsystem}.rules`,
      'sudo udevadm control --reload',
      `sudo udevadm trigger --action=change --subsystem-match=${subsystem}`,
      `sudo usermod -aG gpio ${user ?? '"$USER"'}`,
    ].join(' && '),
    effect:
      'Lets the group gpio use the device, now and after a reboot, and adds Sconce’s user to it. Then restart the service, or log out and in again if you use bin/run.',
  },
});
