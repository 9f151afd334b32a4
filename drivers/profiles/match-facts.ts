import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';

import type { MatchFacts } from '#machines/profile-catalog/events.ts';

/** Where the kernel and the system describe the machine; the real folders except in tests. */
export interface FactFolders {
  readonly deviceTree?: string;
  readonly dmi?: string;
  /** Files of os-release, of which the first existing one counts (os-release(5)). */
  readonly osRelease?: readonly string[];
}

/** Longest fact in characters. */
const LONGEST = 100;
/** Most facts in a list. */
const MOST = 32;
/** Most bytes read of a file. */
const FILE_BYTES = 4096;

/** The first bytes of a file; null if there is none, or if it may not be read. */
function firstBytes(file: string): string | null {
  let open: number | null = null;
  try {
    open = openSync(file, 'r');
    const buffer = Buffer.alloc(FILE_BYTES);
    return buffer.toString('utf8', 0, readSync(open, buffer, 0, FILE_BYTES, 0));
  } catch {
    // The machine has no such fact.
    return null;
  } finally {
    if (open !== null) closeSync(open);
  }
}

function fact(text: string | null | undefined): string | null {
  const plain = (text ?? '')
    // oxlint-disable-next-line no-control-regex -- the device tree ends its texts with NUL
    .replaceAll(/[\u0000-\u001F\u007F]/g, ' ')
    .trim()
    .toLowerCase()
    .slice(0, LONGEST);
  return plain === '' ? null : plain;
}

const facts = (texts: readonly string[]): readonly string[] =>
  texts
    .map(fact)
    .filter((one) => one !== null)
    .slice(0, MOST);

/**
 * Nodes of the device tree that lead to a display panel: it is below a DSI host, and on a Raspberry Pi also at the
 * root.
 */
const leading = /^(?:soc|axi|pcie|rp1|dsi|mipi|display)\b/;
const isPanel = (name: string): boolean => /panel/.test(name) && !/backlight|regulator/.test(name);
/** Depth of a DSI host (`axi/pcie@1000120000/rp1/dsi@110000`), and most folders that are read. */
const DEEPEST = 5;
const FOLDERS = 64;

function childrenOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    // There is no device tree.
    return [];
  }
}

/** The `compatible` values of the display panels in the device tree. */
function panelsIn(tree: string): readonly string[] {
  const found: string[] = [];
  let ahead: readonly string[] = [tree];
  let visited = 0;
  for (let depth = 0; depth <= DEEPEST && visited < FOLDERS; depth += 1) {
    const here = ahead.slice(0, FOLDERS - visited);
    visited += here.length;
    const children = here.flatMap((folder) => childrenOf(folder).map((name) => ({ name, path: join(folder, name) })));
    for (const { path } of children.filter(({ name }) => isPanel(name)))
      found.push(...(firstBytes(join(path, 'compatible')) ?? '').split('\0'));
    ahead = children.filter(({ name }) => leading.test(name)).map(({ path }) => path);
  }
  return found;
}

function osRelease(files: readonly string[]): Readonly<Record<string, string>> {
  const text = files.map(firstBytes).find((one) => one !== null) ?? '';
  return Object.fromEntries(
    [...text.matchAll(/^([A-Z_]+)=["']?([^"'\n]*)["']?$/gm)].map(([, key = '', value = '']) => [key, value]),
  );
}

/**
 * Facts of this machine that do not change while it runs. Nothing is probed, and no rights are needed; an Android panel
 * behind adb is known by its driver only.
 */
export function readMatchFacts({
  deviceTree = '/proc/device-tree',
  dmi = '/sys/class/dmi/id',
  osRelease: files = ['/etc/os-release', '/usr/lib/os-release'],
}: FactFolders = {}): MatchFacts {
  const os = osRelease(files);
  return {
    devicetree_model: fact(firstBytes(join(deviceTree, 'model'))),
    devicetree_compatible: facts((firstBytes(join(deviceTree, 'compatible')) ?? '').split('\0')),
    devicetree_panels: facts(panelsIn(deviceTree)),
    dmi_product: fact(firstBytes(join(dmi, 'product_name'))),
    dmi_vendor: fact(firstBytes(join(dmi, 'sys_vendor'))),
    os_id: fact(os['ID']),
    os_like: facts((os['ID_LIKE'] ?? '').split(/\s+/)),
    android_model: null,
    android_device: null,
    android_product: null,
  };
}
