import { describe, expect, it } from 'vitest';

import type { HostSigns } from '#machines/status/host-signs.ts';
import { startedAtBoot, startedBy } from '#machines/status/host-start.ts';
import { classifyHost, kernelSeries, memoryClass } from '#machines/status/host.ts';
import { bareHost } from '#test/fakes/host.ts';

const MIB = 1024 ** 2;
const host = (more: Partial<HostSigns>): HostSigns => ({ ...bareHost, ...more });
const classes = (more: Partial<HostSigns>) => classifyHost(host(more));

describe('the class of the memory', () => {
  it.each([
    [180, '256m'],
    [430, '512m'],
    [922, '1g'],
    [1_880, '2g'],
    [3_790, '4g'],
    [7_800, '8g'],
    [64 * 1024, '64g'],
    [64 * 1024 + 1, 'over-64g'],
  ])('%d MiB is %s', (mib, expected) => expect(memoryClass(mib * MIB)).toBe(expected));
});

it.each([
  ['6.12.25+rpt-rpi-v8', '6.12'],
  ['5.10.0', '5.10'],
  ['secret-name', 'unknown'],
])('of the kernel %s only the series %s is kept', (release, series) => expect(kernelSeries(release)).toBe(series));

describe('who started the agent, and when', () => {
  it.each<[string, Partial<HostSigns>, string, string]>([
    ['the unit', { systemdStarted: true, bootedBeforeS: 20 }, 'systemd', 'yes'],
    ['the unit, later', { systemdStarted: true, bootedBeforeS: 4000 }, 'systemd', 'no'],
    ['an older systemd', { systemdAround: true, parent: 'systemd', bootedBeforeS: 20 }, 'systemd', 'yes'],
    [
      'a terminal in a session',
      { systemdAround: true, parent: 'bash', terminal: true, bootedBeforeS: 20 },
      'terminal',
      'no',
    ],
    ['openrc', { parent: 'supervise-daemo', bootedBeforeS: 20 }, 'openrc', 'yes'],
    ['ssh', { remote: true, terminal: true, bootedBeforeS: 20 }, 'ssh', 'no'],
    ['a kiosk', { parent: 'cage', bootedBeforeS: 20 }, 'session', 'unknown'],
    ['a container', { container: 'docker', bootedBeforeS: 20 }, 'container', 'unknown'],
    ['something else', { parent: 'constructor', bootedBeforeS: 20 }, 'other', 'unknown'],
  ])('%s', (_, signs, by, atBoot) => {
    expect([startedBy(host(signs)), startedAtBoot(host(signs))]).toEqual([by, atBoot]);
  });
});

describe('boot posture', () => {
  it.each<[string, Partial<HostSigns>, object]>([
    ['UEFI, secure', { efi: true, secureBoot: 1 }, { firmware: 'uefi', secure_boot: 'on' }],
    ['UEFI, not secure', { efi: true, secureBoot: 0 }, { firmware: 'uefi', secure_boot: 'off' }],
    ['UEFI, not readable', { efi: true }, { firmware: 'uefi', secure_boot: 'unknown' }],
    [
      'a board',
      { arch: 'arm64', compatible: ['raspberrypi,4-model-b', 'brcm,bcm2711'] },
      { firmware: 'devicetree', secure_boot: 'none' },
    ],
    ['an old PC', {}, { firmware: 'bios', secure_boot: 'none' }],
    ['a container', { container: 'docker' }, { firmware: 'unknown', secure_boot: 'unknown' }],
    ['lockdown', { lockdown: 'none [integrity] confidentiality' }, { lockdown: 'integrity' }],
    [
      'a read-only root',
      { root: { type: 'squashfs', options: 'ro,relatime' } },
      { root: 'squashfs', root_writable: 'no' },
    ],
    ['a writable one', { root: { type: 'ext4', options: 'noatime,rw' } }, { root: 'ext4', root_writable: 'yes' }],
    ['nothing readable', {}, { lockdown: 'unknown', root: null, root_writable: null }],
  ])('%s', (_, signs, expected) => expect(classes(signs)['boot-security']).toMatchObject(expected));
});

describe('the chip of a device tree', () => {
  it.each<[string, HostSigns['compatible'], string]>([
    ['is the last of what the board is compatible with', ['raspberrypi,4-model-b', 'brcm,bcm2711'], 'brcm,bcm2711'],
    ['is not named where the board alone is', ['acme,hall-panel-7'], 'other'],
    ['is not named where nothing is', [], 'other'],
    ['is not named where it is spelled like no chip', ['acme,hall-panel-7', 'The panel of Anna'], 'other'],
    ['is none without a device tree', null, 'none'],
  ])('%s', (_, compatible, expected) => expect(classes({ compatible }).build).toMatchObject({ chip: expected }));

  it('says that the firmware is one, also where no chip is named', () =>
    expect(classes({ arch: 'arm64', compatible: ['acme,hall-panel-7'] })['boot-security']).toMatchObject({
      firmware: 'devicetree',
    }));
});

describe('hardware and session', () => {
  it.each<[string, Partial<HostSigns>, object]>([
    ['QEMU', { maker: 'QEMU Standard PC', hypervisor: true }, { virtual: 'qemu' }],
    ['QEMU on ARM', { compatible: ['linux,dummy-virt'] }, { virtual: 'qemu' }],
    ['another hypervisor', { hypervisor: true }, { virtual: 'vm' }],
    ['a real machine', { maker: 'Dell Inc. Latitude' }, { virtual: 'none' }],
    ['four cores', { cpuKilohertz: 1_800_000 }, { ram: '4g', cpus: 4, clock_mhz: 1800 }],
    ['a container of another kind', { container: 'my-secret-box' }, { container: 'other' }],
  ])('%s', (_, signs, expected) => expect(classes(signs).hardware).toMatchObject(expected));

  it.each<[string, HostSigns['session'], string, string]>([
    ['Wayland', { type: 'wayland', wayland: true, x11: true, desktop: 'labwc:wlroots' }, 'wayland', 'labwc'],
    ['only a display', { type: null, wayland: false, x11: true, desktop: null }, 'x11', 'none'],
    ['a desktop of another name', { type: 'x11', wayland: false, x11: true, desktop: 'Mine' }, 'x11', 'other'],
    ['a service', { type: null, wayland: false, x11: false, desktop: null }, 'none', 'none'],
  ])('%s', (_, session, kind, compositor) => expect(classes({ session }).session).toEqual({ kind, compositor }));
});

describe('privileges', () => {
  it.each<[string, Partial<HostSigns>, object]>([
    ['root', { uid: 0, capabilities: '000001ffffffffff' }, { user: 'root', capabilities: 'all' }],
    ['a service user', { uid: 998, capabilities: '0000000000000400' }, { user: 'system', capabilities: 'some' }],
    ['a person', { uid: 1000, capabilities: '0000000000000000' }, { user: 'login', capabilities: 'none' }],
    ['groups by closed words', { groups: ['input', 'annas-group', 'video'] }, { groups: 'video,input' }],
    ['SELinux', { selinux: '1' }, { selinux: 'enforcing', apparmor: 'none' }],
    ['AppArmor', { apparmor: '/usr/bin/annas-panel (enforce)' }, { apparmor: 'enforce' }],
    ['AppArmor without a profile', { apparmor: 'unconfined' }, { apparmor: 'unconfined' }],
  ])('%s', (_, signs, expected) => expect(classes(signs).privileges).toMatchObject(expected));
});

it('no name of this machine passes, wherever it is read', () => {
  const marker = 'annas-panel-0042';
  const signs = host({
    release: `6.1-${marker}`,
    maker: marker,
    compatible: [`acme,${marker}`],
    container: marker,
    lockdown: marker,
    root: { type: `${marker}/x`, options: marker },
    init: marker,
    parent: marker,
    session: { type: marker, wayland: false, x11: false, desktop: marker },
    groups: [marker],
    capabilities: marker,
    selinux: marker,
    apparmor: marker,
  });
  expect(JSON.stringify(classifyHost(signs))).not.toContain(marker);
});
