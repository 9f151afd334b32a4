import type { DiagFacts } from '../kit/diag.ts';
import type { HostSigns } from './host-signs.ts';
import { compositorOf, sessionOf, startedAtBoot, startedBy } from './host-start.ts';

/** Headings of the lines about the machine and this start, in order. */
export const hostSections = [
  'build',
  'boot-security',
  'hardware',
  'sysfs',
  'session',
  'env',
  'privileges',
  'start',
] as const;

/**
 * The machine and this start for the diagnostics: classes, words of closed lists and short tokens of a fixed form, but
 * no name and no address.
 */
export type HostFacts = Readonly<Record<(typeof hostSections)[number], DiagFacts>>;

const GIB = 1024 ** 3;
/** Common memory sizes in GiB; the kernel reports a little less than is installed. */
const MEMORY_SIZES = [0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64];

/** The installed size that this many bytes belong to: `512m`, `4g`, `over-64g`. */
export function memoryClass(bytes: number): string {
  const size = MEMORY_SIZES.find((gib) => bytes <= gib * GIB);
  if (size === undefined) return 'over-64g';
  return size < 1 ? `${size * 1024}m` : `${size}g`;
}

/** Major and minor number of a kernel release. */
export const kernelSeries = (release: string): string => /^\d+\.\d+/.exec(release)?.[0] ?? 'unknown';

/** Makers of virtual machines by what their firmware reports. */
const virtualMakers: readonly (readonly [RegExp, string])[] = [
  [/qemu|kvm|bochs|dummy-virt/, 'qemu'],
  [/vmware/, 'vmware'],
  [/virtualbox|innotek/, 'virtualbox'],
  [/microsoft corporation.*virtual/, 'hyper-v'],
  [/\bxen\b/, 'xen'],
  [/parallels/, 'parallels'],
];

/** Kind of virtual machine, by a closed list; `vm` for an unknown kind, `none` for real hardware. */
function virtualisation({ maker, hypervisor, compatible }: HostSigns): string {
  const text = `${maker} ${compatible?.at(-1) ?? ''}`.toLowerCase();
  return virtualMakers.find(([pattern]) => pattern.test(text))?.[1] ?? (hypervisor ? 'vm' : 'none');
}

/** A word if it is in the list, otherwise `other`; `none` without a word. */
const closed = (word: string | null, list: readonly string[]): string =>
  word === null || word === '' ? 'none' : list.includes(word) ? word : 'other';

const containers = ['docker', 'podman', 'lxc', 'systemd-nspawn', 'wsl'];
const containerOf = ({ container }: HostSigns): string => closed(container, containers);

function firmwareOf({ efi, compatible, arch, container }: HostSigns): 'uefi' | 'devicetree' | 'bios' | 'unknown' {
  if (efi) return 'uefi';
  if (compatible !== null) return 'devicetree';
  // A container may hide the firmware.
  return container === null && (arch === 'x64' || arch === 'ia32') ? 'bios' : 'unknown';
}

function secureBootOf(signs: HostSigns): 'on' | 'off' | 'none' | 'unknown' {
  if (!signs.efi) return firmwareOf(signs) === 'unknown' ? 'unknown' : 'none';
  return signs.secureBoot === null ? 'unknown' : signs.secureBoot === 1 ? 'on' : 'off';
}

const lockdownOf = ({ lockdown }: HostSigns): string =>
  /\[(none|integrity|confidentiality)\]/.exec(lockdown ?? '')?.[1] ?? 'unknown';

/** Only an entry that names a chip and not a single board, `brcm,bcm2711`: a sole entry is the board's own. */
function chipOf({ compatible }: HostSigns): string {
  if (compatible === null) return 'none';
  const chip = compatible.length < 2 ? '' : (compatible.at(-1) ?? '');
  return /^[a-z0-9.-]{1,24},[a-z0-9.-]{1,24}$/.test(chip) ? chip : 'other';
}

/** Groups that open devices or change the machine. */
const privilegedGroups = [
  'video',
  'input',
  'render',
  'audio',
  'gpio',
  'i2c',
  'spi',
  'dialout',
  'plugdev',
  'sudo',
  'wheel',
];

function userOf(uid: number | null): string {
  if (uid === null) return 'unknown';
  if (uid === 0) return 'root';
  // SYS_UID_MAX of login.defs(5), and the user that owns nothing (65534).
  return uid < 1000 || uid === 65_534 ? 'system' : 'login';
}

/** Every current kernel has at least this many capabilities. */
const ALL_CAPABILITIES = 37;
function capabilitiesOf(hex: string | null): string {
  if (hex === null || !/^[0-9a-f]{1,16}$/.test(hex)) return 'unknown';
  const count = BigInt(`0x${hex}`).toString(2).replaceAll('0', '').length;
  return count === 0 ? 'none' : count >= ALL_CAPABILITIES ? 'all' : 'some';
}

function apparmorOf(text: string | null): string {
  if (text === null || text === '') return 'none';
  return /\((enforce|complain|kill|unconfined)\)$/.exec(text)?.[1] ?? (text === 'unconfined' ? text : 'other');
}

const yesNo = (value: boolean | null): string => (value === null ? 'unknown' : value ? 'yes' : 'no');

const inits = [
  'systemd',
  'init',
  'openrc-init',
  'runit',
  's6-svscan',
  'dinit',
  'procd',
  'busybox',
  'tini',
  'docker-init',
];
const fileSystem = (type: string): string => (/^[a-z0-9_.]{1,16}$/.test(type) ? type : 'other');

/** Classifies what was read. */
export const classifyHost = (signs: HostSigns): HostFacts => ({
  build: { kernel: kernelSeries(signs.release), arch: signs.arch, chip: chipOf(signs) },
  'boot-security': {
    firmware: firmwareOf(signs),
    secure_boot: secureBootOf(signs),
    lockdown: lockdownOf(signs),
    root: signs.root === null ? null : fileSystem(signs.root.type),
    root_writable: signs.root === null ? null : yesNo(signs.root.options.split(',').includes('rw')),
  },
  hardware: {
    ram: memoryClass(signs.memoryBytes),
    cpus: signs.cpus,
    clock_mhz: signs.cpuKilohertz === null ? null : Math.round(signs.cpuKilohertz / 100_000) * 100,
    virtual: virtualisation(signs),
    container: containerOf(signs),
  },
  sysfs: signs.devices,
  session: { kind: sessionOf(signs), compositor: compositorOf(signs) },
  env: {
    node: signs.node,
    arch: signs.arch,
    platform: signs.platform,
    uid: signs.uid === 0 ? 'root' : 'user',
    systemd: signs.systemdAround ? 'yes' : 'no',
  },
  privileges: {
    user: userOf(signs.uid),
    groups: privilegedGroups.filter((name) => signs.groups.includes(name)).join(',') || 'none',
    capabilities: capabilitiesOf(signs.capabilities),
    no_new_privileges: yesNo(signs.noNewPrivileges),
    selinux: signs.selinux === null ? 'none' : signs.selinux === '1' ? 'enforcing' : 'permissive',
    apparmor: apparmorOf(signs.apparmor),
  },
  start: {
    by: startedBy(signs),
    at_boot: startedAtBoot(signs),
    init: closed(signs.init, inits),
    terminal: yesNo(signs.terminal),
  },
});
