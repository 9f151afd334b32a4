import { realpathSync } from 'node:fs';
import type { InstalledFrom } from '#machines/install/events.ts';
import { programFolder } from '#machines/install/texts.ts';
import { publicOrigin } from '#machines/updates/public-origin.ts';
import { readClone } from '#drivers/updates/clone.ts';
import { systemGit } from '#drivers/updates/git.ts';

/** How long Git may take to read a clone, in milliseconds; it takes some hundredths of a second. */
const readMs = 5_000;

/**
 * What an installation notes of the folder that it is made from, so that the panel can look for updates; `known` is
 * what it noted before, which stays if the installed program itself runs.
 */
export async function cloneRecord(checkout: string, known: InstalledFrom | null): Promise<InstalledFrom | null> {
  const folder = realpathSync(checkout);
  if (`${folder}/`.startsWith(`${programFolder}/`)) return known;
  const clone = await readClone(systemGit(), folder, AbortSignal.timeout(readMs));
  if (clone === null || clone === 'absent') return { folder, commit: null, origin: null, ref: 'HEAD' };
  return { folder, commit: clone.commit, origin: publicOrigin(clone.origin.url), ref: clone.origin.ref };
}
