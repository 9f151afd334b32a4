import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { inspectStorage } from '#drivers/storage-health/disk.ts';
import { isDocument } from '#drivers/store/document.ts';
import { DOCUMENT } from '#drivers/store/folder.ts';
import { afterInspection, nothingKnown } from '#machines/storage-health/judge-storage.ts';
import { storageView } from '#machines/storage-health/view.ts';

/** What the doctor reports on a data folder without a running agent. */
export interface StorageCheck {
  readonly sentence: string;
  /** What to do; null if nothing is to be done. */
  readonly action: string | null;
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
  const checked = await inspectStorage({ folder, document: join(folder, DOCUMENT), check: isDocument }, 'full');
  const { state, summary, action } = storageView(afterInspection(nothingKnown, checked, now));
  return {
    sentence: summary,
    action: action === 'none' ? null : action,
    sound: state !== 'critical' && state !== 'database_failure',
  };
}
