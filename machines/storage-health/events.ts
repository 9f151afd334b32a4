import type { EpochMs } from '../kit/units.ts';

/** One look at the data folder's file system. */
export interface StorageLook {
  readonly usableBytes: number | null;
  readonly totalBytes: number | null;
  /** Size of the durable document in bytes. */
  readonly documentBytes: number | null;
  /** Whether the document on disk parses and matches its schema; `not_run` for a look at the free space alone. */
  readonly check: 'not_run' | 'ok' | 'failed';
}

export type StorageHealthEvent =
  /** `at` is when the look began, so that a check of an earlier document never clears a later failure. */
  | { readonly type: 'storage.looked'; readonly look: StorageLook; readonly at: EpochMs }
  | { readonly type: 'storage.commit-failed'; readonly reason: string; readonly at: EpochMs }
  | { readonly type: 'storage.commit-succeeded'; readonly at: EpochMs }
  /** Look now, the document's check included. */
  | { readonly type: 'storage.look' }
  | { readonly type: 'storage-health.stop' };

/** What the driver is told: `space` asks the file system alone, `full` reads and checks the document too. */
export interface StorageDriverCommand {
  readonly type: 'storage.inspect';
  readonly depth: 'space' | 'full';
}

/** Kinds of failure that latch (behaviour-facts 19). */
export type FailureKind = 'storage_full' | 'io' | 'corruption' | 'busy' | 'unknown';

/** The `storage_health` object of the status document (api-facts 3.9, behaviour-facts 19). */
export interface StorageHealthObject {
  readonly state: 'unchecked' | 'healthy' | 'warning' | 'critical' | 'database_failure';
  readonly pressure_state: 'unchecked' | 'healthy' | 'warning' | 'critical';
  readonly usable_bytes: number | null;
  readonly total_bytes: number | null;
  readonly used_percent: number | null;
  readonly database_bytes: number | null;
  readonly quick_check: 'not_run' | 'ok' | 'failed';
  readonly failure: FailureKind | null;
  readonly checked_at: EpochMs | null;
  readonly summary: string;
  readonly action: string;
}

/** A failure that stays until it is proven over. */
export interface FailureLatch {
  readonly kind: FailureKind;
  readonly failedAt: EpochMs;
  /** When a clean check began that is newer than the failure; null before there was one. */
  readonly cleanCheckAt: EpochMs | null;
  /** Whether something was really written after that check. */
  readonly writtenSince: boolean;
}

/** What the health is made of. */
export interface StorageFacts {
  readonly pressure: StorageHealthObject['pressure_state'];
  readonly usableBytes: number | null;
  readonly totalBytes: number | null;
  readonly documentBytes: number | null;
  readonly check: StorageLook['check'];
  readonly checkedAt: EpochMs | null;
  readonly latch: FailureLatch | null;
}

export interface StorageHealthContext {
  readonly health: StorageHealthObject;
  readonly facts: StorageFacts;
}
