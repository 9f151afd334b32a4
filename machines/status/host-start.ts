import type { HostSigns } from './host-signs.ts';

const sessionTypes = ['wayland', 'x11', 'tty'];
/** Kind of session the agent itself is in, by its variables: `none` for a service. */
export function sessionOf({ session }: HostSigns): string {
  if (session.type !== null && sessionTypes.includes(session.type)) return session.type;
  return session.wayland ? 'wayland' : session.x11 ? 'x11' : 'none';
}

/** Compositors and desktops, by the names they or their processes have. */
const compositors = [
  'labwc',
  'wayfire',
  'sway',
  'weston',
  'cage',
  'kde',
  'gnome',
  'hyprland',
  'river',
  'lxde',
  'lxqt',
  'xfce',
  'mate',
  'cinnamon',
];
/** The compositor or desktop of that session; `other` if it is not in the list. */
export function compositorOf({ session, parent }: HostSigns): string {
  const named = (session.desktop ?? '').toLowerCase().split(':');
  const known = compositors.find((one) => named.includes(one)) ?? compositors.find((one) => one === parent);
  return known ?? (session.desktop === null || session.desktop === '' ? 'none' : 'other');
}

/** Programs that start services, by the name of their process. */
const managers = new Map([
  // The kernel cuts process names after 15 characters.
  ['supervise-daemo', 'openrc'],
  ['runsv', 'runit'],
  ['s6-supervise', 's6'],
  ['dinit', 'dinit'],
  ['procd', 'procd'],
]);

/** What started the agent. */
export function startedBy(signs: HostSigns): string {
  if (signs.systemdStarted || (signs.systemdAround && signs.parent === 'systemd')) return 'systemd';
  const manager = managers.get(signs.parent ?? '');
  if (manager !== undefined) return manager;
  if (signs.container !== null && !signs.terminal) return 'container';
  if (signs.remote) return 'ssh';
  if (signs.terminal) return 'terminal';
  return compositorOf(signs) === 'none' ? 'other' : 'session';
}

/** A start within this many seconds of the boot counts as part of it. */
const WITH_BOOT_S = 300;

/** Whether the agent started with the machine; unknown in a container. */
export function startedAtBoot(signs: HostSigns): 'yes' | 'no' | 'unknown' {
  if (signs.container !== null) return 'unknown';
  if (signs.bootedBeforeS >= WITH_BOOT_S) return 'no';
  const by = startedBy(signs);
  if (by === 'terminal' || by === 'ssh') return 'no';
  return by === 'session' || by === 'other' ? 'unknown' : 'yes';
}
