import type { InstallRequest, MachineScan, Shape } from './events.ts';
import { ownField } from '../kit/own-field.ts';

/** A Debian package and what the panel needs it for. */
export interface WantedPackage {
  readonly name: string;
  readonly why: string;
}

/** Every package that may be needed: the scan looks these up. */
export const knownPackages = [
  'nodejs',
  'chromium',
  'labwc',
  'cage',
  'wlopm',
  'libpam-systemd',
  'dbus',
  'polkitd',
  'mpv',
  'alsa-utils',
  'ddcutil',
  'fonts-dejavu-core',
] as const;

/** The compositor of a kiosk: labwc, which supports overlays, otherwise cage; null if neither is available. */
export function chooseCompositor(scan: MachineScan): 'labwc' | 'cage' | null {
  const has = (name: string): boolean => ownField(scan.packages, name)?.installed === true;
  const can = (name: string): boolean => (ownField(scan.packages, name)?.candidate ?? null) !== null;
  if (has('labwc')) return 'labwc';
  if (can('labwc')) return 'labwc';
  return has('cage') || can('cage') ? 'cage' : null;
}

/** True if brightness and power of a monitor must be set through its cable (DDC/CI), because there is no backlight. */
export const needsDdc = (scan: MachineScan): boolean => scan.outputs && !scan.backlight;

/** True if the profile leaves this machine a microphone. */
const mayListen = ({ profile }: MachineScan): boolean =>
  profile.requirements.some(({ driver }) => driver === 'microphone.system');

/** The reason given for something that the profile requires. */
export const forPart = (title: string, scan: MachineScan): string =>
  `wanted by the profile ${scan.profile.title}, for: ${title}`;

/**
 * True if only the author of an imported profile asks for it, and no compiled driver does: anyone on the network may
 * have written that profile, so root installs nothing for it.
 */
const isForeign = ({ profile }: MachineScan, { beside }: MachineScan['profile']['requirements'][number]): boolean =>
  profile.origin === 'local' && beside !== undefined;

/**
 * The packages that this machine needs and this release has. `absent` are those the release lacks; `left` are missing
 * ones that the owner installs alone; `foreign` are missing names that only an imported profile asks for.
 */
export function wantedPackages(
  scan: MachineScan,
  shape: Shape,
  request: InstallRequest,
  node: { readonly install: boolean },
): {
  readonly wanted: readonly WantedPackage[];
  readonly absent: readonly WantedPackage[];
  readonly left: readonly WantedPackage[];
  readonly foreign: readonly string[];
} {
  const compositor = chooseCompositor(scan);
  const rows: (WantedPackage | null)[] = [
    node.install ? { name: 'nodejs', why: 'runs the agent' } : null,
    { name: 'chromium', why: 'shows the dashboard' },
    shape === 'kiosk' && compositor !== null
      ? { name: compositor, why: 'owns the screen and the touch input that the dashboard is drawn on' }
      : null,
    shape === 'kiosk'
      ? { name: 'libpam-systemd', why: 'gives the screen a session, and with it graphics and touch without root' }
      : null,
    shape === 'kiosk' ? { name: 'dbus', why: 'carries the requests for the session and the reboot' } : null,
    shape === 'kiosk' && compositor === 'labwc'
      ? { name: 'wlopm', why: 'switches outputs on and off under labwc' }
      : null,
    { name: 'polkitd', why: 'lets this one user reboot the machine, and nothing else' },
    { name: 'mpv', why: 'plays announcements' },
    scan.soundTool ? null : { name: 'alsa-utils', why: 'sets the volume' },
    scan.recorder || !mayListen(scan) ? null : { name: 'alsa-utils', why: 'records what is spoken to the panel' },
    needsDdc(scan)
      ? { name: 'ddcutil', why: 'sets brightness and power of a monitor that has no backlight of the kernel' }
      : null,
    ...scan.profile.requirements
      .filter((one) => !isForeign(scan, one))
      .flatMap(({ packages, title }) => packages.map((name) => ({ name, why: forPart(title, scan) }))),
    scan.fonts ? null : { name: 'fonts-dejavu-core', why: 'a browser without a font draws no text' },
  ];
  const named = rows.filter((row) => row !== null);
  // The first row that names a package gives the reason.
  const all = named.filter((row, at) => named.findIndex((other) => other.name === row.name) === at);
  const isHere = ({ name }: Pick<WantedPackage, 'name'>): boolean => ownField(scan.packages, name)?.installed === true;
  const foreign = scan.profile.requirements
    .filter((one) => isForeign(scan, one))
    .flatMap(({ packages }) => packages)
    .filter((name) => !isHere({ name }) && !all.some((row) => row.name === name));
  if (!request.packages) return { wanted: [], absent: [], left: all.filter((row) => !isHere(row)), foreign };
  const canBe = (row: WantedPackage): boolean =>
    isHere(row) || (ownField(scan.packages, row.name)?.candidate ?? null) !== null;
  return { wanted: all.filter(canBe), absent: all.filter((row) => !canBe(row)), left: [], foreign };
}
