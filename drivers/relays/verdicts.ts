import { ownUser } from '#drivers/kit/own-user.ts';
import { type Verdict, working } from '#machines/kit/verdict.ts';

/** udev rule that lets the group gpio switch supplies that the kernel leaves to user space. */
export const regulatorRules: readonly string[] = [
  'ACTION=="bind|add|change", SUBSYSTEM=="platform", DRIVER=="reg-userspace-consumer", RUN+="/bin/chgrp gpio $sys$devpath/state", RUN+="/bin/chmod g+w $sys$devpath/state"',
];

/** The verdict on a relay that was found and may be switched; `what` names it in a sentence. */
export const relayFound = (what: string): Verdict =>
  working('relay-found', `The relay is ${what}, and this user may switch it.`);

/** The verdict where there is no such device. */
export const noRelay = (what: string): Verdict => ({
  state: 'not_here',
  reason: 'no-relay',
  detail: `This machine shows no ${what}. Sconce looks for it every two seconds.`,
  missing: 'The device of the relay, as the profile names it.',
  fix: null,
});

/**
 * The verdict where the device is there and this user may not use it; the rules of each subsystem have a file of their
 * own, so that one command takes nothing from another.
 */
export const relayNotPermitted = (
  what: string,
  rules: readonly string[],
  subsystem: string,
  user: string | null = ownUser(),
): Verdict => ({
  state: 'needs_you',
  reason: 'relay-not-permitted',
  detail: `The relay is ${what}, and this user may not switch it.`,
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
      'Lets the group gpio use the device, now and after a reboot, and puts the user of Sconce into it. Start Sconce again afterwards.',
  },
});
