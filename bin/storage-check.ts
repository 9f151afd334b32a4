import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { inspectStorage } from '#drivers/storage-health/disk.ts';
import { isDocument } from '#drivers/store/document.ts';
import { DOCUMENT } from '#drivers/store/folder.ts';
import { adviseFreeSpace } from '#machines/storage-health/free-space.ts';
import { afterInspection } from '#machines/storage-health/judge-storage.ts';
import { nothingKnown } from '#machines/storage-health/nothing-known.ts';
import { storageView } from '#machines/storage-health/view.ts';
import type { Fix } from '#machines/kit/verdict.ts';

/** What the doctor reports on a data folder without a running agent. */
export interface StorageCheck {
  readonly sentence: string;
  /** What to do; null if nothing is to be done. */
  readonly action: string | null;
  /** The command that frees space, or that shows what takes it; null if there is enough. */
  readonly fix: Fix | null;
  /**
   * False for a disk that is almost full and for a damaged document (contract, "storage health": both fail
   * verification).
   */
  readonly sound: boolean;
}

/**
 * Checks the data folder itself, by the rules of the running agent; null if it does not exist yet. Nothing is written.
 */
export async function checkStorage(folder: string, now: number): Promise<StorageCheck | null> {
  if (!existsSync(folder)) return null;
  const watched = { folder, document: join(folder, DOCUMENT), check: isDocument };
  const facts = afterInspection(nothingKnown, await inspectStorage(watched, 'full', true), now);
  const { state, summary, action } = storageView(facts);
  const advice = adviseFreeSpace(facts);
  return {
    sentence: advice === null || advice.words === '' ? summary : `${summary} ${advice.words}`,
    action: action === 'none' ? null : action,
    fix: advice?.fix ?? null,
    sound: state !== 'critical' && state !== 'database_failure',
  };
}
