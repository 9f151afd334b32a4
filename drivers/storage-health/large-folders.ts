import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { LargeFolder } from '#machines/storage-health/events.ts';

/** Most files and folders looked at in one place: a look at a full disk must not become a load of its own. */
const MOST_ENTRIES = 2_000;
const MOST_DEPTH = 3;

/** Places that fill up by themselves on Debian and its relatives, and that a command empties without a loss. */
const PLACES: readonly (readonly [LargeFolder['holds'], string])[] = [
  ['journal', '/var/log/journal'],
  ['packages', '/var/cache/apt/archives'],
  ['crashes', '/var/lib/systemd/coredump'],
];

/** Bytes on the disk below a folder on the device `dev`, as far as it may be read and the budget goes. */
async function occupied(folder: string, dev: number, depth: number, budget: { left: number }): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    budget.left -= 1;
    if (budget.left < 0) break;
    const path = join(folder, name);
    const found = await lstat(path).catch(() => null);
    if (found === null || found.dev !== dev) continue;
    if (!found.isDirectory()) bytes += found.blocks * 512;
    else if (depth < MOST_DEPTH) bytes += await occupied(path, dev, depth + 1, budget);
  }
  return bytes;
}

/**
 * What lies in those places on the disk of the data folder, the largest first; never files of a person. A place that is
 * on another disk or has more entries than are looked at counts for what was seen.
 */
export async function findLargeFolders(dataFolder: string, places = PLACES): Promise<readonly LargeFolder[]> {
  const own = await stat(dataFolder).catch(() => null);
  if (own === null) return [];
  const found: LargeFolder[] = [];
  for (const [holds, folder] of places) {
    const bytes = await occupied(folder, own.dev, 1, { left: MOST_ENTRIES });
    if (bytes > 0) found.push({ holds, bytes });
  }
  return found.toSorted((a, b) => b.bytes - a.bytes);
}
