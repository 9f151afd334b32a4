import type { EpochMs } from '../kit/units.ts';

/** Bytes of what the agent keeps beside its document, by kind. */
export interface FolderSizes {
  /** Files of stored sections, which are the document's beside it. */
  readonly sectionsBytes: number;
  /** Copies of the document and of those files: from before the last save, or set aside as broken. */
  readonly copiesBytes: number;
  /** Saved profiles and the record of which is active. */
  readonly profilesBytes: number;
  /** Everything else that outlives the agent. */
  readonly otherBytes: number;
}

/** One inspection of the data folder's file system. */
export interface StorageInspection {
  readonly usableBytes: number | null;
  readonly totalBytes: number | null;
  /** Size of the durable document in bytes. */
  readonly documentBytes: number | null;
  /** Null where they could not be told. */
  readonly sizes: FolderSizes | null;
  /**
   * Whether the document on disk and the files of the sections parse and match their schemas; `not_run` for an
   * inspection of the free space alone.
   */
  readonly check: 'not_run' | 'ok' | 'failed';
  /** Sections whose own file made the check fail; [] where the document did, or nothing. */
  readonly damaged: readonly string[];
}

/** What the driver reports. */
export interface DiskFact {
  readonly type: 'storage.inspected';
  readonly inspection: StorageInspection;
  /** When the inspection began, so that a check of an earlier document never clears a later failure. */
  readonly at: EpochMs;
}

/** What became of the store's writes. */
export type WritesFact =
  | { readonly type: 'storage.commit-failed'; readonly reason: string; readonly at: EpochMs }
  | { readonly type: 'storage.commit-succeeded'; readonly at: EpochMs };

export type StorageHealthEvent =
  | DiskFact
  | WritesFact
  /** Inspect now, the document's check included. */
  | { readonly type: 'storage.check' };

/** What the driver is told: `space` asks the file system alone, `full` reads and checks the document too. */
export interface StorageDriverCommand {
  readonly type: 'storage.inspect';
  readonly depth: 'space' | 'full';
}

/** Kinds of failure that are held (as panel-assistant). */
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
  /** Negative for a folder that shrinks; null until a whole day was measured. */
  readonly growth_bytes_per_day: number | null;
  /** When the measurement that `growth_bytes_per_day` is made from began. */
  readonly growth_since: EpochMs | null;
  readonly quick_check: 'not_run' | 'ok' | 'failed';
  /** When the last check of the document began; `checked_at` is also set by an inspection of the space alone. */
  readonly quick_checked_at: EpochMs | null;
  readonly failure: FailureKind | null;
  readonly checked_at: EpochMs | null;
  readonly summary: string;
  readonly action: string;
}

/** A failure that stays until it is proven over. */
export interface HeldFailure {
  readonly kind: FailureKind;
  /** For `corruption`: the sections whose own file is damaged; [] where the document is. */
  readonly sections: readonly string[];
  readonly failedAt: EpochMs;
  /** When a clean check began that is newer than the failure; null before there was one. */
  readonly cleanCheckAt: EpochMs | null;
  /** True if something was really written after that check. */
  readonly writtenSince: boolean;
}

/** How the agent's files grew. */
export interface StorageGrowth {
  /** At most 29, six hours or more apart, oldest first. */
  readonly measured: readonly { readonly at: EpochMs; readonly bytes: number }[];
  /** The newest measurement, remembered or not; null before the first. */
  readonly lastAt: EpochMs | null;
  readonly bytesPerDay: number | null;
}

/** What the health is made of. */
export interface StorageFacts {
  readonly pressure: StorageHealthObject['pressure_state'];
  readonly usableBytes: number | null;
  readonly totalBytes: number | null;
  readonly documentBytes: number | null;
  readonly sizes: FolderSizes | null;
  readonly growth: StorageGrowth;
  readonly check: StorageInspection['check'];
  /** When the last check began; null before one. */
  readonly quickCheckedAt: EpochMs | null;
  readonly checkedAt: EpochMs | null;
  readonly held: HeldFailure | null;
}

export interface StorageHealthContext {
  readonly health: StorageHealthObject;
  readonly facts: StorageFacts;
}

/** What the actor of storage health shows to the rest of the house. */
export interface StorageHealthActor {
  readonly id: 'storage-health';
  readonly context: StorageHealthContext;
  readonly event: Extract<StorageHealthEvent, { readonly type: 'storage.check' }>;
}
