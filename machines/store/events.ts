import type { EpochMs } from '../kit/units.ts';

/** Why a commit or a read of the store failed: POSIX error names, never library messages. */
export type StoreFailure = 'ENOSPC' | 'EROFS' | 'EACCES' | 'EIO' | 'EDQUOT' | 'unreadable' | 'unknown';

/** The source of the document at the last start. */
type LoadedFrom = 'current' | 'previous' | 'empty';

export type StoreEvent =
  /** Replaces one section durably; answered by one `reply` with a `CommitOutcome`. Commits are made one at a time. */
  | { readonly type: 'store.commit'; readonly requestId: string; readonly section: string; readonly value: unknown }
  /** Replaces several sections atomically. */
  | {
      readonly type: 'store.commit-all';
      readonly requestId: string;
      readonly sections: Readonly<Record<string, unknown>>;
    }
  /** Reads one section; answered by one `reply` with a `ReadOutcome`. Secrets are only in these replies. */
  | { readonly type: 'store.read'; readonly requestId: string; readonly section: string }
  /** Reads several sections consistently; answered with a `ReadAllOutcome`. */
  | { readonly type: 'store.read-all'; readonly requestId: string; readonly sections: readonly string[] }
  | { readonly type: 'store.stop' };

/** The result of loading at a start. */
export interface Loaded {
  readonly from: LoadedFrom;
  /** Why the current file was not used; null if it was, or if there never was one. */
  readonly trouble: 'unreadable' | 'missing' | null;
  /** Size of the document's file, -1 before it was first written. */
  readonly bytes: number;
  /** Sections whose separate file was damaged or missing. */
  readonly damaged: readonly DamagedSection[];
}

/**
 * A section whose separate file was damaged or missing, and what was read instead; `unreadable` if neither the file nor
 * its copy can be opened, in which case both stay untouched.
 */
export interface DamagedSection {
  readonly section: string;
  readonly from: LoadedFrom | 'unreadable';
}

export type CommitOutcome = { readonly ok: true } | { readonly ok: false; readonly reason: StoreFailure };
export type ReadOutcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: StoreFailure };
export type ReadAllOutcome =
  | { readonly ok: true; readonly values: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly reason: StoreFailure };

/** Public facts of the store; the document itself never enters the context. */
export interface StoreContext {
  readonly loadedFrom: LoadedFrom | null;
  /** What was lost at the start, for the owner (`reason` is one plain sentence); null if nothing was. */
  readonly loss: { readonly reason: string; readonly at: EpochMs } | null;
  readonly commits: number;
  readonly lastFailure: { readonly reason: StoreFailure; readonly at: EpochMs } | null;
  /** Size of the document's file in bytes, -1 before the first write. */
  readonly documentBytes: number;
  /** Path of the data folder; kept out of diagnostics. */
  readonly folder: string;
}

export interface StoreActor {
  readonly id: 'store';
  readonly context: StoreContext;
  readonly event: StoreEvent;
  readonly asks: {
    readonly 'store.commit': CommitOutcome;
    readonly 'store.commit-all': CommitOutcome;
    readonly 'store.read': ReadOutcome;
    readonly 'store.read-all': ReadAllOutcome;
  };
}
