import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { EventObject } from 'xstate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { machineFactsDriver, readMachineFacts } from '#drivers/identity/machine-facts.ts';
import type { IdentityFact } from '#machines/identity/events.ts';
import { isFact, runDriver } from '../run-driver.ts';

let root = '';
function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
function card(name: string, address: string, device: string, assigned = '0'): void {
  put(`sys/class/net/${name}/address`, `${address}\n`);
  put(`sys/class/net/${name}/addr_assign_type`, `${assigned}\n`);
  put(`sys/class/net/${name}/type`, '1\n');
  mkdirSync(join(root, device), { recursive: true });
  symlinkSync(join(root, device), join(root, `sys/class/net/${name}/device`));
}
const facts = () => readMachineFacts({ root, hostName: 'hall' });

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sconce-machine-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the facts of a machine', () => {
  it('are empty on one that says nothing', async () => {
    expect(await facts()).toEqual({
      hostName: 'hall',
      system: 'Linux',
      vendor: '',
      product: '',
      fingerprint: null,
      fingerprints: [],
    });
  });

  it('come from os-release and DMI', async () => {
    put('etc/os-release', 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nNAME="Debian GNU/Linux"\nVERSION_ID="13"\n');
    put('sys/class/dmi/id/sys_vendor', 'Dell Inc.\n');
    put('sys/class/dmi/id/product_name', 'OptiPlex\n');
    expect(await facts()).toMatchObject({ system: 'Debian GNU/Linux 13', vendor: 'Dell Inc.', product: 'OptiPlex' });
  });

  it('come from the device tree of a board', async () => {
    put('proc/device-tree/model', 'Raspberry Pi 4 Model B Rev 1.4\0');
    put('proc/device-tree/compatible', 'raspberrypi,4-model-b\0brcm,bcm2711\0');
    expect(await facts()).toMatchObject({ vendor: 'raspberrypi', product: 'Raspberry Pi 4 Model B Rev 1.4' });
  });

  it('give a fingerprint of the machine id and the first built-in card', async () => {
    put('etc/machine-id', `${'1'.repeat(32)}\n`);
    expect((await facts()).fingerprint).toBeNull();
    card('eth0', '02:00:00:00:00:01', 'sys/devices/usb1/1-1');
    const onUsb = (await facts()).fingerprint;
    expect(onUsb).toMatch(/^[0-9a-f]{64}$/);
    card('wlan0', '02:00:00:00:00:02', 'sys/devices/platform/mmc');
    const builtIn = (await facts()).fingerprint;
    expect(builtIn).not.toBe(onUsb);
    expect((await facts()).fingerprints).toEqual([builtIn, onUsb]);
    card('aaa0', '02:00:00:00:00:03', 'sys/devices/platform/random', '1');
    expect((await facts()).fingerprint).toBe(builtIn);
    put('etc/machine-id', 'uninitialized\n');
    expect((await facts()).fingerprint).toBeNull();
  });

  it('arrive once, with fresh randomness', async () => {
    const running = runDriver<EventObject, IdentityFact>(machineFactsDriver({ root, hostName: 'hall' }));
    const seen = await running.until(isFact<IdentityFact, 'machine.observed'>('machine.observed'));
    expect(seen.fresh).toMatch(/^[0-9a-f]{32}$/);
    running.stop();
  });
});
