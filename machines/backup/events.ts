import type { PlannedChange, SkippedKey } from '../config-copies/events.ts';
import type { EpochMs } from '../kit/units.ts';
import type { RunningJob } from '../maintenance/events.ts';

/** Where an archive is from, for the machine that restores it. */
export type ArchiveOrigin = 'this-machine' | 'another-machine' | 'replaces';

/** A part of an archive. */
export type ArchivePart = 'config' | 'filter' | 'panel' | 'profiles' | 'companion';

/** What a restore would do; the values of secrets are never in it. */
export interface RestorePreview {
  readonly origin: ArchiveOrigin;
  readonly madeAt: EpochMs;
  /** The id of the panel that it is from. */
  readonly madeBy: string;
  /** The version of Sconce that made it. */
  readonly version: string;
  /** True if the durable state of its panel could not be read, so that it is missing. */
  readonly stateUnavailable: boolean;
  readonly changes: readonly PlannedChange[];
  readonly skippedKeys: readonly SkippedKey[];
  /** What happens to each part that the archive has or lacks. */
  readonly parts: readonly {
    readonly part: ArchivePart;
    readonly does: 'restored' | 'unchanged' | 'skipped' | 'absent';
    /** Number of settings, accounts, sections or revisions; -1 where nothing is counted. */
    readonly items: number;
    /** Why it is skipped or absent, one plain sentence; "" otherwise. */
    readonly why: string;
  }[];
  /** Another profile will be on trial after the restart; null if the profile stays. */
  readonly profile: string | null;
}

/** Why an archive is not accepted. */
export type ArchiveRefusal =
  /** The passphrase is wrong, or the archive was changed: the two cannot be told apart. */
  | 'wrong-passphrase-or-damaged'
  | 'passphrase-required'
  /** It is whole, but not a backup of Sconce. */
  | 'another-product'
  /** It is from a newer version of Sconce. */
  | 'newer-version'
  /** It is no archive, or breaks a rule of the container. */
  | 'bad-archive'
  | 'too-large';

export type MadeBackup =
  | {
      readonly status: 'made';
      /** Path of the file, 0600; the caller removes it. */
      readonly path: string;
      readonly name: string;
      readonly bytes: number;
      readonly encrypted: boolean;
      readonly stateUnavailable: boolean;
    }
  | { readonly status: 'busy'; readonly running: RunningJob | null }
  /** A section exceeds its limit. */
  | { readonly status: 'too-large'; readonly part: ArchivePart }
  /** The disk refused; ENOSPC and the like. */
  | { readonly status: 'failed'; readonly reason: string };

export type RestoreOutcome =
  | { readonly status: 'preview'; readonly preview: RestorePreview }
  /** The order is durable; the agent restarts and carries it out. */
  | { readonly status: 'ordered'; readonly preview: RestorePreview }
  | { readonly status: 'refused'; readonly code: ArchiveRefusal; readonly message: string }
  | { readonly status: 'rejected'; readonly reasons: Readonly<Record<string, string>> }
  | { readonly status: 'busy'; readonly running: RunningJob | null }
  /** `proof` does not prove that the request is from the owner of the data folder. */
  | { readonly status: 'not-proven' }
  | { readonly status: 'failed'; readonly reason: string };

/** Why an ordered restore was not carried out at this start. */
export interface RestoreFailure {
  /** Stable code, such as `ENOSPC`. */
  readonly code: string;
  /** True if the order remains, so that the next start tries again. */
  readonly again: boolean;
}

export type BackupEvent =
  | {
      readonly type: 'backup.make';
      readonly requestId: string;
      /** Null for an archive that anyone can read: without secrets and sign-in. */
      readonly passphrase: string | null;
      /** True to take the sign-in along, if there is one; null takes it where the panel is signed in. */
      readonly companion: boolean | null;
      readonly at: EpochMs;
    }
  | {
      readonly type: 'backup.restore';
      readonly requestId: string;
      /** Path of the uploaded file; it is only read. */
      readonly path: string;
      readonly passphrase: string | null;
      readonly dryRun: boolean;
      /** True if a preview must not tell which credentials are stored already. */
      readonly hidesStored: boolean;
      /** True if this panel takes the place of the one that the archive is from. */
      readonly replaces: boolean;
      /** A one-use token of the owner of the data folder, which is used up; null if none is needed. */
      readonly proof: string | null;
      readonly by: string;
      readonly at: EpochMs;
    };

export interface BackupContext {
  /** True once the agent has to restart to carry out a restore. */
  readonly restartDue: boolean;
  /** Why the restore that was ordered was not carried out at this start; null if it was, or if there was none. */
  readonly failure: RestoreFailure | null;
}

export interface BackupActor {
  readonly id: 'backup';
  readonly context: BackupContext;
  readonly event: BackupEvent;
  readonly asks: { readonly 'backup.make': MadeBackup; readonly 'backup.restore': RestoreOutcome };
}
