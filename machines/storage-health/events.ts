import type { EpochMs } from '../kit/units.ts';

/** One look at the data folder's file system. */
export interface StorageLook {
  readonly usableBytes: number | null;
  readonly totalBytes: number | null;
  /** Size of the durable document in bytes. */
  readonly documentBytes: number | null;
  /** Whether the document on disk parses and matches its schema. */
  readonly check: 'not_run' | 'ok' | 'failed';
}

export type StorageHealthEvent =
  | { readonly type: 'storage.looked'; readonly look: StorageLook; readonly at: EpochMs }
  | { readonly type: 'storage.commit-failed'; readonly reason: string; readonly at: EpochMs }
  | { readonly type: 'storage.commit-succeeded'; readonly at: EpochMs }
  | { readonly type: 'storage.look' }
  | { readonly type: 'storage-health.stop' };

/** The `storage_health` object of the status document (api-facts 3.9, behaviour-facts 19). */
export interface StorageHealthObject {
  readonly state: 'unchecked' | 'healthy' | 'warning' | 'critical' | 'database_failure';
  readonly pressure_state: 'unchecked' | 'healthy' | 'warning' | 'critical';
  readonly usable_bytes: number | null;
  readonly total_bytes: number | null;
  readonly used_percent: number | null;
  readonly database_bytes: number | null;
  readonly quick_check: 'not_run' | 'ok' | 'failed';
  readonly failure: 'storage_full' | 'io' | 'corruption' | 'busy' | 'unknown' | null;
  readonly checked_at: EpochMs | null;
  readonly summary: string;
  readonly action: string;
}

export interface StorageHealthContext {
  readonly health: StorageHealthObject;
}
