import { changeSections, restoreData } from '#drivers/backup/at-start.ts';
import { isStaged, readStaged, unstageNow } from '#drivers/backup/staged.ts';
import { errorCode } from '#drivers/kit/error-code.ts';
import { sectionsAtStart } from '#drivers/reset/at-start.ts';
import type { RestoreFailure } from '#machines/backup/events.ts';
import { dueRestore } from '#machines/backup/record.ts';
import { chunk } from '#machines/kit/chunk.ts';
import type { EpochMs } from '#machines/kit/units.ts';

const after = chunk(() => import('./restore-after.ts'));

/** What a start did about a restore. */
export interface RestoreAtStart {
  /** Null if it is done. */
  readonly failure: RestoreFailure | null;
}

/** Records that nothing was restored, and removes what was staged, first, since the disk may be full. */
async function giveUp(folder: string, code: string, at: EpochMs): Promise<RestoreAtStart> {
  unstageNow(folder);
  const { sectionsAfterGivingUp } = await after();
  // If the disk refuses this too the order remains, and leads to nothing: the next start comes here again.
  await changeSections(folder, (sections) => sectionsAfterGivingUp(sections, code, at));
  return { failure: { code, again: false } };
}

async function carryOut(folder: string, digest: string, at: EpochMs): Promise<RestoreAtStart> {
  const { folderAfter } = await after();
  const staged = readStaged(folder, digest);
  if (staged === undefined) return giveUp(folder, 'staged-files-missing', at);
  const restored = await restoreData(folder, folderAfter(staged, at));
  if (restored.done) {
    unstageNow(folder);
    return { failure: null };
  }
  return restored.begun ? { failure: { code: restored.code, again: true } } : giveUp(folder, restored.code, at);
}

/**
 * Carries out the ordered restore before anything else reads the data folder; null if none was ordered. A start that
 * dies halfway leaves the order, and the next one does all of it again. What was staged without an order is removed.
 */
export async function finishRestore(folder: string, now: () => EpochMs = Date.now): Promise<RestoreAtStart | null> {
  const staged = isStaged(folder);
  const sections = sectionsAtStart(folder);
  // An unreadable document may have an order: the store decides what is read in its place.
  if (sections === null) return null;
  const order = dueRestore(sections['restore']);
  if (order === null) {
    if (staged) unstageNow(folder);
    return null;
  }
  try {
    return await carryOut(folder, order.digest, now());
  } catch (error) {
    return giveUp(folder, errorCode(error), now());
  }
}
