import { checking, type Fix, type Verdict, verdictOf, working } from '../kit/verdict.ts';
import type { PathProbeContext } from './events.ts';

const PING_GROUPS: Fix = {
  command: 'sudo sysctl -w net.ipv4.ping_group_range="0 2147483647"',
  effect: 'Lets every user of this machine send pings, until the next reboot.',
};

/**
 * The verdict on the ICMP socket; never `needs_you`, since the probe must not raise a warning (contract, "Rules for
 * `ha_path_probe`").
 */
export function judgePathProbe({ supported }: Pick<PathProbeContext, 'supported'>): Verdict {
  if (supported === null) return checking;
  return supported
    ? working('socket-opened', 'Sconce can measure the network to Home Assistant with pings.')
    : verdictOf(
        'off',
        'socket-refused',
        'The system does not let Sconce send pings, so the way to Home Assistant cannot be measured. Nothing else is affected.',
        'Permission to send pings.',
        PING_GROUPS,
      );
}
