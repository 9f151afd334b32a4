import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { CATALOG } from '#drivers/profiles/places.ts';
import { DOCUMENT, SECTIONS, TEMPORARY } from '#drivers/store/folder.ts';
import { sectionOfFile } from '#drivers/store/section-file.ts';
import type { FolderSizes } from '#machines/storage-health/events.ts';

/** Most files and folders that are measured: many times what the agent itself ever keeps. */
const MOST_ENTRIES = 2_000;
/** How deep folders are entered below the data folder: the catalogue has two levels. */
const MOST_DEPTH = 4;

/**
 * Bytes of everything below a folder, links themselves and not what they lead to; null for one that cannot be told
 * within bounds.
 */
async function measure(folder: string, depth: number, budget: { left: number }): Promise<number | null> {
  if (depth > MOST_DEPTH) return null;
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    budget.left -= 1;
    if (budget.left < 0) return null;
    const path = join(folder, entry.name);
    const size = entry.isDirectory() ? await measure(path, depth + 1, budget) : (await lstat(path)).size;
    if (size === null) return null;
    bytes += size;
  }
  return bytes;
}

/** Bytes of the files that sections are read from, of all that is in their folder. */
async function currentSections(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(folder))
    if (sectionOfFile(name) !== null) bytes += (await lstat(join(folder, name))).size;
  return bytes;
}

/**
 * Sizes of what the agent keeps in its data folder, by kind. What does not outlive the agent is left out, and so is the
 * document itself. Null where the folder cannot be read, changes meanwhile, or holds too much to be the agent's own.
 */
export async function measureFolder(folder: string): Promise<FolderSizes | null> {
  const budget = { left: MOST_ENTRIES };
  let [sectionsBytes, copiesBytes, profilesBytes, otherBytes] = [0, 0, 0, 0];
  try {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      budget.left -= 1;
      if (budget.left < 0) return null;
      if (entry.name === DOCUMENT || entry.name === TEMPORARY) continue;
      const path = join(folder, entry.name);
      const size = entry.isDirectory() ? await measure(path, 1, budget) : (await lstat(path)).size;
      if (size === null) return null;
      if (entry.name === SECTIONS && entry.isDirectory()) {
        const current = await currentSections(path);
        sectionsBytes += current;
        copiesBytes += size - current;
      } else if (entry.name.startsWith(DOCUMENT)) copiesBytes += size;
      else if (entry.name === CATALOG) profilesBytes += size;
      else otherBytes += size;
    }
  } catch {
    // A file that was taken away between two steps; the next inspection tells.
    return null;
  }
  return { sectionsBytes, copiesBytes, profilesBytes, otherBytes };
}
