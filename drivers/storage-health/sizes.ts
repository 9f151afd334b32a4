import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { CATALOG } from '#drivers/profiles/places.ts';
import { DOCUMENT, REVISIONS, SECTIONS, TEMPORARY } from '#drivers/store/folder.ts';
import { sectionOfFile } from '#drivers/store/section-file.ts';
import type { FolderSizes } from '#machines/storage-health/events.ts';

/** Most files and folders measured: many times what the agent ever keeps. */
const MOST_ENTRIES = 2_000;
/** Levels measured below the data folder; the catalogue has two. */
const MOST_DEPTH = 4;

/** Bytes of everything below a folder, without following links; null if it exceeds the bounds. */
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

/** Bytes of the current files of sections, without their copies. */
async function currentSections(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(folder))
    if (sectionOfFile(name) !== null) bytes += (await lstat(join(folder, name))).size;
  return bytes;
}

/**
 * Sizes of what the agent keeps in its data folder, by kind, without temporary files and the document itself. Null if
 * the folder cannot be read, changes meanwhile, or has too much to be the agent's.
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
      } else if (entry.name.startsWith(DOCUMENT) || entry.name.startsWith(REVISIONS)) copiesBytes += size;
      else if (entry.name === CATALOG) profilesBytes += size;
      else otherBytes += size;
    }
  } catch {
    // A file was removed between two steps; the next inspection measures again.
    return null;
  }
  return { sectionsBytes, copiesBytes, profilesBytes, otherBytes };
}
