import type { EpochMs } from '../kit/units.ts';

/** Why a commit or a read of the store failed: POSIX error names, never library messages. */
export type StoreFailure = 'ENOSPC' | 'EROFS' | 'EACCES' | 'EIO' | 'EDQUOT' | 'unreadable' | 'unknown';

/** What the document was read from at the last start. */
type LoadedFrom = 'current' | 'previous' | 'empty';

export type StoreEvent =
  /**
   * Replace one section, durably; answered by one `reply` with a `CommitOutcome`. Commits are made one after another.
   */
  | { readonly type: 'store.commit'; readonly requestId: string; readonly section: string; readonly value: unknown }
  /** Several sections in one durable step: all of them or none. */
  | {
      readonly type: 'store.commit-all';
      readonly requestId: string;
      readonly sections: Readonly<Record<string, unknown>>;
    }
  /** Read one section; answered by one `reply` with a `ReadOutcome`. Secrets travel only in this reply. */
  | { readonly type: 'store.read'; readonly requestId: string; readonly section: string }
  /** The same of several sections, as they are at one moment; answered with a `ReadAllOutcome`. */
  | { readonly type: 'store.read-all'; readonly requestId: string; readonly sections: readonly string[] }
  | { readonly type: 'store.stop' };

/** What was read at a start. */
export interface Loaded {
  readonly from: LoadedFrom;
  /** Why the current file did not serve; null when it did, or when there never was one. */
  readonly trouble: 'unreadable' | 'missing' | null;
  /** Size of the document's file, -1 before it was first written. */
  readonly bytes: number;
  /** Sections whose own file did not serve. */
  readonly damaged: readonly DamagedSection[];
}

/**
 * A section whose own file was damaged or gone, and what it was read from in its place; `unreadable` where the file
 * system gives neither the file nor its copy, which stay as they are.
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
  /**
   * Shown to the owner when the current file was unreadable (`reason` is one plain sentence); null when nothing was
   * lost.
   */
  readonly loss: { readonly reason: string; readonly at: EpochMs } | null;
  readonly commits: number;
  readonly lastFailure: { readonly reason: StoreFailure; readonly at: EpochMs } | null;
  /** Size of the document's file in bytes, -1 before it was first written. */
  readonly documentBytes: number;
  /** The data folder; a path of this machine, so it stays out of diagnostics. */
  readonly folder: string;
}

/** What the actor of the durable document shows to the rest of the house. */
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
