import type { EpochMs } from '../kit/units.ts';

/** Sizes in bytes of what the agent stores besides its document. */
export interface FolderSizes {
  /** Files of stored sections. */
  readonly sectionsBytes: number;
  /** Copies of the document and of those files: of before the last save, broken, of other formats; earlier settings. */
  readonly copiesBytes: number;
  /** Saved profiles and their activation record. */
  readonly profilesBytes: number;
  /** Everything else that persists. */
  readonly otherBytes: number;
}

/** A place outside the data folder that takes space on its disk. */
export interface LargeFolder {
  /** The log of the system, downloaded packages, or memory dumps of crashed programs. */
  readonly holds: 'journal' | 'packages' | 'crashes';
  readonly bytes: number;
}

/** One inspection of the data folder's file system. */
export interface StorageInspection {
  readonly usableBytes: number | null;
  readonly totalBytes: number | null;
  /** Size of the document in bytes. */
  readonly documentBytes: number | null;
  /** Null if unknown. */
  readonly sizes: FolderSizes | null;
  /**
   * `ok` if the document on disk and the files of the sections parse and match their schemas; `not_run` if only the
   * free space was inspected.
   */
  readonly check: 'not_run' | 'ok' | 'failed';
  /** Sections whose file made the check fail; empty if the document did, or if it passed. */
  readonly damaged: readonly string[];
  /** Other places on the same disk, the largest first; absent if they were not looked at. */
  readonly large?: readonly LargeFolder[];
}

/** Fact from the driver. */
export interface DiskFact {
  readonly type: 'storage.inspected';
  readonly inspection: StorageInspection;
  /** Start of the inspection, so that a check of an earlier document never clears a later failure. */
  readonly at: EpochMs;
}

/** Results of the store's writes. */
export type WritesFact =
  | { readonly type: 'storage.commit-failed'; readonly reason: string; readonly at: EpochMs }
  | { readonly type: 'storage.commit-succeeded'; readonly at: EpochMs };

export type StorageHealthEvent =
  | DiskFact
  | WritesFact
  /** Inspect now, including the document. */
  | { readonly type: 'storage.check' };

/**
 * Command for the driver: `space` only queries the file system, `full` also reads and checks the document. With
 * `culprits` it also looks for what fills the disk.
 */
export interface StorageDriverCommand {
  readonly type: 'storage.inspect';
  readonly depth: 'space' | 'full';
  readonly culprits?: true;
}

/** Kinds of failures (as panel-assistant). */
export type FailureKind = 'storage_full' | 'io' | 'corruption' | 'busy' | 'unknown';

/** The `storage_health` object of the status document (as panel-assistant). */
export interface StorageHealthObject {
  readonly state: 'unchecked' | 'healthy' | 'warning' | 'critical' | 'database_failure';
  readonly pressure_state: 'unchecked' | 'healthy' | 'warning' | 'critical';
  readonly usable_bytes: number | null;
  readonly total_bytes: number | null;
  readonly used_percent: number | null;
  readonly database_bytes: number | null;
  /** Copies of the document. */
  readonly sidecar_bytes: number | null;
  readonly profiles_bytes: number | null;
  readonly other_bytes: number | null;
  /** Negative if the folder shrinks; null until a whole day was measured. */
  readonly growth_bytes_per_day: number | null;
  /** Start of the measurement behind `growth_bytes_per_day`. */
  readonly growth_since: EpochMs | null;
  readonly quick_check: 'not_run' | 'ok' | 'failed';
  /** Start of the last check of the document; `checked_at` is also set by inspections of the space only. */
  readonly quick_checked_at: EpochMs | null;
  readonly failure: FailureKind | null;
  readonly checked_at: EpochMs | null;
  readonly summary: string;
  readonly action: string;
}

/** A failure that stays until it is proven to be over. */
export interface HeldFailure {
  readonly kind: FailureKind;
  /** For `corruption`: the sections whose file is damaged; empty if the document is. */
  readonly sections: readonly string[];
  readonly failedAt: EpochMs;
  /** Start of the first clean check after the failure; null before that. */
  readonly cleanCheckAt: EpochMs | null;
  /** True if a write succeeded after that check. */
  readonly writtenSince: boolean;
}

/** Growth of the agent's files. */
export interface StorageGrowth {
  /** At most 29 measurements, at least six hours apart, oldest first. */
  readonly measured: readonly { readonly at: EpochMs; readonly bytes: number }[];
  /** Time of the newest measurement, even if not listed; null before the first. */
  readonly lastAt: EpochMs | null;
  readonly bytesPerDay: number | null;
}

/** Input of the health object. */
export interface StorageFacts {
  readonly pressure: StorageHealthObject['pressure_state'];
  readonly usableBytes: number | null;
  readonly totalBytes: number | null;
  readonly documentBytes: number | null;
  readonly sizes: FolderSizes | null;
  /** What else takes space on the disk, as of the last look. */
  readonly large: readonly LargeFolder[];
  readonly growth: StorageGrowth;
  readonly check: StorageInspection['check'];
  /** Start of the last check; null before the first. */
  readonly quickCheckedAt: EpochMs | null;
  readonly checkedAt: EpochMs | null;
  readonly held: HeldFailure | null;
}

export interface StorageHealthContext {
  readonly health: StorageHealthObject;
  readonly facts: StorageFacts;
}

export interface StorageHealthActor {
  readonly id: 'storage-health';
  readonly context: StorageHealthContext;
  readonly event: Extract<StorageHealthEvent, { readonly type: 'storage.check' }>;
}
