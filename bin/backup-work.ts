import type { BackupWork } from '#actors/backup.ts';
import { makeBackup } from '#actors/backup/make.ts';
import { restoreBackup } from '#actors/backup/restore.ts';
import { readContainer, writeContainer } from '#drivers/backup/container.ts';
import { backupFiles } from '#drivers/backup/files.ts';
import { decrypted, encrypted, isEncrypted } from '#drivers/backup/hpb.ts';
import { redeemProof } from '#drivers/backup/owner-proof.ts';
import { stage, unstage } from '#drivers/backup/staged.ts';
import { profileFiles } from '#drivers/profiles/files.ts';
import { profileIdPattern, revisionPattern } from '#machines/profile-catalog/activation.ts';
import type { PartDeps } from './parts/deps.ts';

/** What makes and restores backups of this data folder. */
export function backupWork({ registry, folder, now, version }: PartDeps): BackupWork {
  const deps = {
    registry,
    now,
    version,
    drivers: {
      files: backupFiles(folder),
      profiles: profileFiles(folder, { id: profileIdPattern, revision: revisionPattern }),
      encrypted,
      decrypted,
      isEncrypted,
      writeContainer,
      readContainer,
      stage: (plan: unknown, revisions: Parameters<typeof stage>[2]) => stage(folder, plan, revisions),
      unstage: () => unstage(folder),
      redeem: (token: string) => redeemProof(folder, token, now()),
    },
  };
  return { make: (request) => makeBackup(deps, request), restore: (request) => restoreBackup(deps, request) };
}
