import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, realpath } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { EventObject } from 'xstate';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { IdentityFact, MachineFacts } from '#machines/identity/events.ts';

/** Where the machine's facts are read; nothing is needed outside tests. */
export interface MachineFactsOptions {
  /** Root of the file system, `/` unless a test says otherwise. */
  readonly root?: string;
  readonly hostName?: string;
}

/** A small text of the kernel or the system, "" when it is not there; device trees end theirs with NUL. */
async function text(...path: readonly string[]): Promise<string> {
  try {
    return (await readFile(join(...path), 'utf8')).replace(/\0+$/, '').trim();
  } catch {
    return '';
  }
}

/** The fields of os-release(5). */
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
 * The hardware addresses that were given for good (sysfs-class-net: `addr_assign_type` 0, `type` 1 is Ethernet and
 * Wi-Fi), built-in ones before those on USB, which may belong to another machine tomorrow.
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

/** What the machine says about itself; what it does not say is "" or null. */
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
  // "uninitialized" is what machine-id(5) holds before the first start has ended.
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

/** Reads the machine's facts once and brings the randomness that an install id may be generated from. */
export const machineFactsDriver = (options: MachineFactsOptions = {}) =>
  fromDriver<EventObject, undefined, IdentityFact>(async ({ send }) => {
    send({ type: 'machine.observed', facts: await readMachineFacts(options), fresh: randomBytes(16).toString('hex') });
  });
