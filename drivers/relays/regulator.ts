import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Probe } from '#drivers/kit/attached.ts';
import { mayWrite, writeText } from '#drivers/lights/led-folder.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { RelayDriver, RelayRestore } from '#machines/relays/events.ts';

import { type OpenRelay, driveRelay } from './open-relay.ts';
import { noRelay, regulatorRules, relayFound, relayNotPermitted } from './verdicts.ts';

/** The kernel's folder of supplies controlled from user space (driver `reg-userspace-consumer`). */
export const CONSUMERS = '/sys/bus/platform/drivers/reg-userspace-consumer';

/** Name of a supply as in the device tree; no path matches. */
export const REGULATOR_NAME = /^(?!\.)[A-Za-z0-9_.:+@-]{1,64}$/;

export interface RegulatorOptions {
  /** Content of the consumer's file `name`. */
  readonly name: string;
  readonly restore: RelayRestore;
  /** Folder of the driver; the kernel's by default. */
  readonly root?: string;
  readonly probeMs?: Milliseconds;
  readonly pollMs?: Milliseconds;
}

const textIn = (path: string): Promise<string> => readFile(path, 'utf8').then((text) => text.trim());

async function folderOf(root: string, name: string): Promise<string | null> {
  if (!REGULATOR_NAME.test(name)) return null;
  for (const entry of (await readdir(root).catch((): string[] => [])).toSorted()) {
    const folder = join(root, entry);
    if ((await textIn(join(folder, 'name')).catch(() => null)) === name) return folder;
  }
  return null;
}

async function probeFor({ name, root = CONSUMERS }: RegulatorOptions): Promise<Probe<OpenRelay>> {
  const folder = await folderOf(root, name);
  if (folder === null) return { device: null, verdict: noRelay(`supply "${name}"`) };
  const state = join(folder, 'state');
  const what = `the supply "${name}"`;
  if (!(await mayWrite(state))) return { device: null, verdict: relayNotPermitted(what, regulatorRules, 'platform') };
  const relay: OpenRelay = {
    read: async () => {
      const text = await textIn(state);
      return text === 'enabled' ? true : text === 'disabled' ? false : null;
    },
    write: (closed) => writeText(state, closed ? 'enabled' : 'disabled'),
    close: async () => {},
  };
  return { device: relay, verdict: relayFound(what) };
}

/** A relay behind a supply that the kernel leaves to user space; it keeps its state when the agent ends. */
export const regulatorRelay = (options: RegulatorOptions): RelayDriver =>
  driveRelay({
    probe: () => probeFor(options),
    restore: options.restore,
    ...(options.probeMs === undefined ? {} : { probeMs: options.probeMs }),
    ...(options.pollMs === undefined ? {} : { pollMs: options.pollMs }),
  });
