import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, realpath } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { EventObject } from 'xstate';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { IdentityFact, MachineFacts } from '#machines/identity/events.ts';

/** Options for tests; outside them none is needed. */
export interface MachineFactsOptions {
  /** Root of the file system; `/` by default. */
  readonly root?: string;
  readonly hostName?: string;
}

/** Reads a small text file, "" if it is missing. Texts of a device tree end with NUL, which is removed. */
async function text(...path: readonly string[]): Promise<string> {
  try {
    return (await readFile(join(...path), 'utf8')).replace(/\0+$/, '').trim();
  } catch {
    return '';
  }
}

/** Parses os-release(5). */
const osRelease = (source: string): ReadonlyMap<string, string> =>
  new Map(
    source.split('\n').flatMap((line) => {
      const [, key, quoted] = /^([A-Z_]+)=(.*)$/.exec(line.trim()) ?? [];
      return key === undefined || quoted === undefined ? [] : [[key, quoted.replace(/^(["'])(.*)\1$/, '$2')] as const];
    }),
  );

async function systemName(root: string): Promise<string> {
  const release = osRelease((await text(root, 'etc/os-release')) || (await text(root, 'usr/lib/os-release')));
  const name = release.get('NAME') ?? '';
  const version = release.get('VERSION_ID') ?? '';
  return name === '' ? (release.get('PRETTY_NAME') ?? 'Linux') : `${name} ${version}`.trim();
}

/**
 * Permanent hardware addresses (sysfs-class-net: `addr_assign_type` 0; `type` 1 is Ethernet and Wi-Fi). Built-in cards
 * come before USB adapters, which may move to another machine.
 */
async function permanentMacs(root: string): Promise<readonly string[]> {
  const base = join(root, 'sys/class/net');
  const names = (await readdir(base).catch((): string[] => [])).toSorted((one, other) => (one < other ? -1 : 1));
  const cards = await Promise.all(
    names.map(async (name) => {
      const [address, assigned, type, device] = await Promise.all([
        text(base, name, 'address'),
        text(base, name, 'addr_assign_type'),
        text(base, name, 'type'),
        realpath(join(base, name, 'device')).catch(() => ''),
      ]);
      const permanent =
        assigned === '0' &&
        type === '1' &&
        device !== '' &&
        /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/.test(address) &&
        address !== '00:00:00:00:00:00';
      return permanent ? { address, usb: /\/usb\d*\//.test(device) } : null;
    }),
  );
  const present = cards.filter((card) => card !== null);
  return [...present.filter((card) => !card.usb), ...present.filter((card) => card.usb)].map((card) => card.address);
}

/** Reads what the machine says about itself; missing facts are "" or null. */
export async function readMachineFacts(options: MachineFactsOptions = {}): Promise<MachineFacts> {
  const root = options.root ?? '/';
  const [system, machineId, macs, dmiVendor, dmiProduct, treeModel, compatible] = await Promise.all([
    systemName(root),
    text(root, 'etc/machine-id'),
    permanentMacs(root),
    text(root, 'sys/class/dmi/id/sys_vendor'),
    text(root, 'sys/class/dmi/id/product_name'),
    text(root, 'proc/device-tree/model'),
    text(root, 'proc/device-tree/compatible'),
  ]);
  // Until the first boot has ended, machine-id(5) holds "uninitialized".
  const known = /^[0-9a-f]{32}$/.test(machineId) ? macs : [];
  const fingerprints = known.map((mac) => createHash('sha256').update(`${machineId}\n${mac}`).digest('hex'));
  return {
    hostName: options.hostName ?? hostname(),
    system,
    vendor: dmiVendor || (compatible.split(',')[0] ?? ''),
    product: dmiProduct || treeModel,
    fingerprint: fingerprints[0] ?? null,
    fingerprints,
  };
}

/** Reads the machine's facts once and adds the random bytes from which an install id may be generated. */
export const machineFactsDriver = (options: MachineFactsOptions = {}) =>
  fromDriver<EventObject, undefined, IdentityFact>(async ({ send }) => {
    send({ type: 'machine.observed', facts: await readMachineFacts(options), fresh: randomBytes(16).toString('hex') });
  });
