import type { FolderAfterRestore } from '#drivers/backup/at-start.ts';
import { activationAfterRestore, filterAfterRestore, sectionsAfterRestore } from '#actors/backup/after.ts';
import type { RestorePlan } from '#actors/backup/plan.ts';
import type { EpochMs } from '#machines/kit/units.ts';

export { sectionsAfterGivingUp } from '#actors/backup/given-up.ts';

/** What becomes of the data folder by a staged plan. */
export function folderAfter(staged: unknown, at: EpochMs): FolderAfterRestore {
  // Its digest is the one in the order: this program wrote it.
  const plan = staged as RestorePlan;
  return {
    sections: (before) => sectionsAfterRestore(before, plan, at),
    filter: (before) => filterAfterRestore(before, plan),
    activation: (before) => activationAfterRestore(before, plan, at),
    revisions: plan.revisions.map(({ id, revision }) => ({ id, revision })),
  };
}
