import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, release, totalmem, uptime } from 'node:os';
import { join } from 'node:path';
import { isatty } from 'node:tty';

import { classifyHost, type HostFacts } from '#machines/status/host.ts';
import type { HostSigns, StartSigns } from '#machines/status/host-signs.ts';

/** Where the facts are read, and of which process; tests pass others. */
export interface HostPlaces {
  /** Root of the file system. */
  readonly root?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly pid?: number;
  readonly ppid?: number;
}

const LONGEST = 65_536;

/** A small text from the kernel; null if it does not exist or may not be read. */
function text(...path: readonly string[]): string | null {
  try {
    return readFileSync(join(...path), 'utf8')
      .slice(0, LONGEST)
      .replace(/[\0\s]+$/, '');
  } catch {
    return null;
  }
}

function isThere(...path: readonly string[]): boolean {
  try {
    readdirSync(join(...path));
    return true;
  } catch {
    return false;
  }
}

/** Matching names in a folder of the kernel; none if the folder does not exist. */
function namesIn(folder: string, fits: RegExp): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => fits.test(name));
  } catch {
    return [];
  }
}

/** Folders below `/sys` in which the kernel lists its devices, and the names that devices of the kind have there. */
const kinds = {
  backlight: ['class/backlight', /./],
  display: ['class/drm', /^card\d+$/],
  input: ['class/input', /^event\d+$/],
  leds: ['class/leds', /./],
  gpio: ['bus/gpio/devices', /^gpiochip\d+$/],
  i2c: ['bus/i2c/devices', /^i2c-\d+$/],
  iio: ['bus/iio/devices', /^iio:device\d+$/],
  hwmon: ['class/hwmon', /./],
  thermal: ['class/thermal', /^thermal_zone\d+$/],
  video: ['class/video4linux', /^video\d+$/],
  sound: ['class/sound', /^card\d+$/],
} as const satisfies Readonly<Record<string, readonly [string, RegExp]>>;

const devicesIn = (sys: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(kinds).map(([kind, [folder, fits]]) => [kind, namesIn(join(sys, folder), fits).length]),
  );

/** The highest frequency of any processor. */
function kilohertz(sys: string): number | null {
  const policies = join(sys, 'devices/system/cpu/cpufreq');
  const most = namesIn(policies, /^policy\d+$/).map((name) => Number(text(policies, name, 'cpuinfo_max_freq') ?? ''));
  const highest = Math.max(0, ...most.filter(Number.isFinite));
  return highest > 0 ? highest : null;
}

/** The value of the firmware's variable: four bytes of attributes precede it (efivarfs). */
function secureBoot(sys: string): number | null {
  try {
    const name = 'firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c';
    return readFileSync(join(sys, name))[4] ?? null;
  } catch {
    return null;
  }
}

function containerIn(root: string, env: Readonly<Record<string, string | undefined>>): string | null {
  if (/microsoft/i.test(release())) return 'wsl';
  if (text(root, '.dockerenv') !== null) return 'docker';
  if (text(root, 'run/.containerenv') !== null) return 'podman';
  return text(root, 'run/systemd/container') ?? env['container'] ?? null;
}

function rootMount(mounts: string | null): HostSigns['root'] {
  const [, type, options] = /^\S+ \/ (\S+) (\S+)/m.exec(mounts ?? '') ?? [];
  return type === undefined || options === undefined ? null : { type, options };
}

/** Names of the groups that the process is in. */
function groupNames(root: string): readonly string[] {
  const own = new Set((process.getgroups?.() ?? []).map(String));
  return (text(root, 'etc/group') ?? '').split('\n').flatMap((line) => {
    const [name, , id] = line.split(':');
    return name !== undefined && id !== undefined && own.has(id) ? [name] : [];
  });
}

/** How this process was started: its variables, its parent and its terminal. */
function readStart({ root = '/', env = process.env, pid = process.pid, ppid = process.ppid }: HostPlaces): StartSigns {
  const executed = Number(env['SYSTEMD_EXEC_PID'] ?? '');
  return {
    parent: text(root, 'proc', String(ppid), 'comm'),
    systemdStarted: executed === pid || executed === ppid,
    systemdAround: env['INVOCATION_ID'] !== undefined,
    // Not through `process.stdin`, which opens when it is accessed.
    terminal: isatty(0) || isatty(1),
    remote: env['SSH_CONNECTION'] !== undefined,
    bootedBeforeS: uptime() - process.uptime(),
    session: {
      type: env['XDG_SESSION_TYPE'] ?? null,
      wayland: (env['WAYLAND_DISPLAY'] ?? '') !== '',
      x11: (env['DISPLAY'] ?? '') !== '',
      desktop: env['XDG_CURRENT_DESKTOP'] ?? null,
    },
  };
}

/** The facts that do not change while this process runs. */
function readMachine({ root = '/', env = process.env }: HostPlaces): Omit<HostSigns, keyof StartSigns | 'devices'> {
  const proc = join(root, 'proc');
  const sys = join(root, 'sys');
  const own = text(proc, 'self/status') ?? '';
  const field = (name: string): string | null => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(own)?.[1] ?? null;
  const noNew = field('NoNewPrivs');
  return {
    node: process.versions.node,
    arch: process.arch,
    platform: process.platform,
    release: release(),
    memoryBytes: totalmem(),
    cpus: availableParallelism(),
    cpuKilohertz: kilohertz(sys),
    hypervisor: /^flags\s*:.*\bhypervisor\b/m.test(text(proc, 'cpuinfo') ?? ''),
    maker: [text(sys, 'class/dmi/id/sys_vendor'), text(sys, 'class/dmi/id/product_name')].join(' '),
    compatible: text(proc, 'device-tree/compatible')?.split('\0') ?? null,
    container: containerIn(root, env),
    efi: isThere(sys, 'firmware/efi'),
    secureBoot: secureBoot(sys),
    lockdown: text(sys, 'kernel/security/lockdown'),
    root: rootMount(text(proc, 'self/mounts')),
    init: text(proc, '1/comm'),
    uid: process.getuid?.() ?? null,
    groups: groupNames(root),
    capabilities: field('CapEff'),
    noNewPrivileges: noNew === null ? null : noNew === '1',
    selinux: text(sys, 'fs/selinux/enforce'),
    apparmor: text(proc, 'self/attr/current'),
  };
}

const readDevices = ({ root = '/' }: HostPlaces): HostSigns['devices'] => devicesIn(join(root, 'sys'));

/**
 * What the operating system says of the machine and of this start; nothing is probed, and no right is needed. The start
 * is read now, since a parent may be gone later; the machine on first use, so that no start waits for it; devices come
 * and go and are counted on each call.
 */
export function keepHostSigns(places: HostPlaces = {}): () => HostSigns {
  const start = readStart(places);
  let machine: ReturnType<typeof readMachine> | null = null;
  return () => ({ ...(machine ??= readMachine(places)), ...start, devices: readDevices(places) });
}

/** The facts of the machine and of this start for the diagnostics; never a name or an address. */
export function keepHostFacts(places: HostPlaces = {}): () => HostFacts {
  const signs = keepHostSigns(places);
  return () => classifyHost(signs());
}
