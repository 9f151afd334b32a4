import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { keepHostFacts, keepHostSigns } from '../../bin/host-facts.ts';

let root = '';
function put(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}
function folder(path: string): void {
  mkdirSync(join(root, path), { recursive: true });
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sconce-host-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('what is read of the operating system', () => {
  it('is null where there is nothing to read', () => {
    expect(keepHostSigns({ root, env: {}, pid: 7, ppid: 6 })()).toMatchObject({
      cpuKilohertz: null,
      hypervisor: false,
      compatible: null,
      efi: false,
      secureBoot: null,
      lockdown: null,
      root: null,
      init: null,
      parent: null,
      systemdStarted: false,
      systemdAround: false,
      remote: false,
      session: { type: null, wayland: false, x11: false, desktop: null },
      groups: [],
      capabilities: null,
      noNewPrivileges: null,
      selinux: null,
      apparmor: null,
      devices: { backlight: 0, input: 0, i2c: 0 },
    });
  });

  it('of a board: chip, clock, devices, lockdown, mounts', () => {
    put('proc/device-tree/compatible', 'raspberrypi,4-model-b\0brcm,bcm2711\0');
    put('sys/devices/system/cpu/cpufreq/policy0/cpuinfo_max_freq', '1500000\n');
    put('sys/devices/system/cpu/cpufreq/policy4/cpuinfo_max_freq', '1800000\n');
    put('sys/kernel/security/lockdown', '[none] integrity confidentiality\n');
    put('proc/self/mounts', 'proc /proc proc rw 0 0\n/dev/mmcblk0p2 / ext4 rw,noatime 0 0\n');
    for (const device of ['class/backlight/a', 'class/input/event0', 'class/input/mouse0', 'bus/i2c/devices/i2c-1'])
      folder(`sys/${device}`);
    folder('sys/bus/i2c/devices/1-0045');
    expect(keepHostSigns({ root, env: {} })()).toMatchObject({
      compatible: ['raspberrypi,4-model-b', 'brcm,bcm2711'],
      cpuKilohertz: 1_800_000,
      lockdown: '[none] integrity confidentiality',
      root: { type: 'ext4', options: 'rw,noatime' },
      devices: { backlight: 1, input: 1, i2c: 1, leds: 0 },
    });
  });

  it('of a PC: firmware, Secure Boot, virtual machine, rights', () => {
    put('sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c', new Uint8Array([6, 0, 0, 0, 1]));
    put('sys/class/dmi/id/sys_vendor', 'QEMU\n');
    put('proc/cpuinfo', 'processor : 0\nflags\t\t: fpu hypervisor sse\n');
    put('proc/self/status', 'Name:\tnode\nCapEff:\t00000000a80425fb\nNoNewPrivs:\t1\n');
    put('sys/fs/selinux/enforce', '1');
    put('proc/self/attr/current', 'unconfined\n');
    expect(keepHostSigns({ root, env: {} })()).toMatchObject({
      efi: true,
      secureBoot: 1,
      hypervisor: true,
      maker: 'QEMU ',
      capabilities: '00000000a80425fb',
      noNewPrivileges: true,
      selinux: '1',
      apparmor: 'unconfined',
    });
  });

  it('of the start: by the service manager itself, or by one of its children', () => {
    put('proc/1/comm', 'systemd\n');
    put('proc/6/comm', 'bash\n');
    const env = { INVOCATION_ID: 'f'.repeat(32), SYSTEMD_EXEC_PID: '7', SSH_CONNECTION: 'x' };
    const places = { root, env, ppid: 6 };
    expect(keepHostSigns({ ...places, pid: 7 })()).toMatchObject({
      init: 'systemd',
      parent: 'bash',
      systemdStarted: true,
      systemdAround: true,
      remote: true,
    });
    expect(keepHostSigns({ ...places, pid: 8 })().systemdStarted).toBe(false);
    expect(keepHostSigns({ ...places, pid: 8, ppid: 7 })().systemdStarted).toBe(true);
  });

  it('of a container: by its mark, or by the variable', () => {
    expect(keepHostSigns({ root, env: { container: 'lxc' } })().container).toBe('lxc');
    put('.dockerenv', '');
    expect(keepHostSigns({ root, env: { container: 'lxc' } })().container).toBe('docker');
  });

  it('of the machine is read when it is first asked for, and kept', () => {
    const facts = keepHostFacts({ root, env: {} });
    put('sys/fs/selinux/enforce', '1');
    expect(facts().privileges).toMatchObject({ selinux: 'enforcing' });
    put('sys/fs/selinux/enforce', '0');
    expect(facts().privileges).toMatchObject({ selinux: 'enforcing' });
  });

  it('of the start is read at the start: whoever becomes the parent later did not start it', () => {
    put('proc/6/comm', 'runsv\n');
    const env: Record<string, string> = { XDG_SESSION_TYPE: 'tty' };
    const facts = keepHostFacts({ root, env, ppid: 6 });
    put('proc/6/comm', 'systemd\n');
    env['INVOCATION_ID'] = 'f'.repeat(32);
    env['XDG_SESSION_TYPE'] = 'wayland';
    expect(facts()).toMatchObject({ start: { by: 'runit' }, env: { systemd: 'no' }, session: { kind: 'tty' } });
  });

  it('of devices is read at every ask: one may be plugged in', () => {
    const facts = keepHostFacts({ root, env: {} });
    expect(facts().sysfs).toMatchObject({ video: 0 });
    folder('sys/class/video4linux/video0');
    expect(facts().sysfs).toMatchObject({ video: 1 });
  });

  it('is said of the machine that the tests run on', () => {
    const facts = keepHostFacts()();
    expect(facts.build).toMatchObject({ kernel: expect.stringMatching(/^\d+\.\d+$/), arch: process.arch });
    expect(facts.hardware).toMatchObject({ ram: expect.stringMatching(/^(\d+[mg]|1\.5g|over-64g)$/) });
  });
});
