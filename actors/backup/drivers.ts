import type { BackupFiles } from '#drivers/backup/files.ts';
import type { StagedRevision, Staging } from '#drivers/backup/staged.ts';
import type { ProfileFiles } from '#drivers/profiles/files.ts';
import type { ArchiveRefusal } from '#machines/backup/events.ts';

/** An entry of an archive. */
export interface Entry {
  readonly name: string;
  readonly content: Uint8Array;
}

/** What makes, reads and stages archives (`drivers/backup`). */
export interface BackupDrivers {
  readonly files: BackupFiles;
  readonly profiles: Pick<ProfileFiles, 'list' | 'read' | 'readRecord'>;
  readonly encrypted: (plain: string, target: string, passphrase: string) => Promise<void>;
  readonly decrypted: (path: string, target: string, passphrase: string) => Promise<boolean>;
  readonly isEncrypted: (path: string) => Promise<boolean>;
  readonly writeContainer: (path: string, entries: readonly Entry[]) => Promise<number>;
  readonly readContainer: (
    path: string,
  ) => Promise<
    | { readonly entries: ReadonlyMap<string, Uint8Array> }
    | { readonly refused: ArchiveRefusal; readonly message: string }
  >;
  readonly stage: (plan: unknown, revisions: readonly StagedRevision[]) => Promise<Staging>;
  readonly unstage: () => Promise<void>;
  /** Uses a token of the data folder's owner up; true if it was valid. */
  readonly redeem: (token: string) => boolean;
}
