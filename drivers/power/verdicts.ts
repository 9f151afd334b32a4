import { type Verdict, working } from '#machines/kit/verdict.ts';

/** Answers of logind's CanReboot. */
export type CanReboot = 'yes' | 'no' | 'challenge' | 'na';

/** Parses the output of `busctl call ... CanReboot` (`s "yes"`); null for anything else. */
export function parseCanReboot(text: string): CanReboot | null {
  const word = /^s "(yes|no|challenge|na)"\s*$/.exec(text)?.[1];
  // The pattern matches only these four words.
  return word === undefined ? null : (word as CanReboot);
}

const allowed = working('reboot-allowed', 'The system says that this user may reboot it.');
const root = working('reboot-as-root', 'Sconce runs as root and can reboot with systemctl.');
/** The polkit actions of logind that Sconce's reboot needs, as in the rule of an installation. */
const REBOOT = ['org.freedesktop.login1.reboot', 'org.freedesktop.login1.reboot-multiple-sessions'];
/** Closes the surrounding quotes, so that the shell inserts the user who pastes the command. */
const QUOTED_USER = `'"$USER"'`;
const forbidden = (user: string): Verdict => ({
  state: 'needs_you',
  reason: 'reboot-not-allowed',
  detail: 'The system does not let this user reboot it without a password.',
  missing: 'The right to reboot.',
  fix: {
    command: `echo 'polkit.addRule(function (a, s) { if (${JSON.stringify(REBOOT)}.indexOf(a.id) >= 0 && s.user === "${user}") return polkit.Result.YES; });' | sudo tee /etc/polkit-1/rules.d/60-sconce-reboot.rules`,
    effect: 'Lets the user of Sconce reboot this machine without a password. It takes effect at once.',
  },
});
const nothing: Verdict = {
  state: 'not_here',
  reason: 'no-reboot-route',
  detail: 'Sconce looked for systemd-logind and systemctl, but this system runs neither.',
  missing: null,
  fix: null,
};

/**
 * Chooses the route and verdict. `says` is logind's answer, `systemd` true if systemd runs the system, `user` the name
 * the agent runs under.
 */
export function judgeReboot(
  says: CanReboot | null,
  systemd: boolean,
  isRoot: boolean,
  user: string | null = null,
): { readonly verdict: Verdict; readonly route: 'logind' | 'systemctl' | null } {
  if (says === 'yes') return { verdict: allowed, route: 'logind' };
  if (says === 'no' || says === 'challenge') return { verdict: forbidden(user ?? QUOTED_USER), route: null };
  if (says === null && systemd && isRoot) return { verdict: root, route: 'systemctl' };
  return { verdict: nothing, route: null };
}
