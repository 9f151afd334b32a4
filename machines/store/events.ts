import type { EpochMs } from '../kit/units.ts';

/** The parts of the one durable document; each has one owner. */
export type Section = 'settings' | 'secrets' | 'identity' | 'ledger' | 'panel';

/** Why a commit or a read of the store failed: POSIX error names, never library messages. */
export type StoreFailure = 'ENOSPC' | 'EROFS' | 'EACCES' | 'EIO' | 'EDQUOT' | 'unreadable' | 'unknown';

/** What befell the document at the last start. */
export type LoadedFrom = 'current' | 'previous' | 'empty';

export type StoreEvent =
  /** Replace one section, durably; answered by one `reply` with a `CommitOutcome`. Commits are made one after another. */
  | { readonly type: 'store.commit'; readonly requestId: string; readonly section: Section; readonly value: unknown }
  /** Several sections in one durable step: all of them or none. */
  | { readonly type: 'store.commit-all'; readonly requestId: string; readonly sections: Readonly<Partial<Record<Section, unknown>>> }
  /** Read one section; answered by one `reply` with a `ReadOutcome`. Secrets travel only in this reply. */
  | { readonly type: 'store.read'; readonly requestId: string; readonly section: Section }
  | { readonly type: 'store.stop' };

export type CommitOutcome = { readonly ok: true } | { readonly ok: false; readonly reason: StoreFailure };
export type ReadOutcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: StoreFailure };

/** Public facts of the store; the document itself never enters the context. */
export interface StoreContext {
  readonly loadedFrom: LoadedFrom | null;
  /** Said to the owner when the current file was unreadable; null when nothing was lost. */
  readonly loss: { readonly reason: string; readonly at: EpochMs } | null;
  readonly commits: number;
  readonly lastFailure: { readonly reason: StoreFailure; readonly at: EpochMs } | null;
  /** Size of the document's file in bytes, -1 before it was first written. */
  readonly documentBytes: number;
  /** The data folder; a path of this machine, so it stays out of diagnostics. */
  readonly folder: string;
}
