import type { EpochMs } from '../kit/units.ts';

/** Why a commit or a read of the store failed: POSIX error names, never library messages. */
export type StoreFailure = 'ENOSPC' | 'EROFS' | 'EACCES' | 'EIO' | 'EDQUOT' | 'unreadable' | 'unknown';

/** What the document was read from at the last start. */
export type LoadedFrom = 'current' | 'previous' | 'empty';

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
  | { readonly type: 'store.stop' };

/** What the store's machine tells its driver; each is answered by one fact with the same request id. */
export type DocumentCommand =
  | { readonly type: 'document.read'; readonly requestId: string; readonly section: string }
  | {
      readonly type: 'document.write';
      readonly requestId: string;
      readonly sections: Readonly<Record<string, unknown>>;
    }
  /** Finish what is under way, then say `document.closed`. */
  | { readonly type: 'document.close' };

/** What the store's driver reports. */
export type DocumentFact =
  | {
      readonly type: 'document.loaded';
      readonly from: LoadedFrom;
      readonly trouble: 'unreadable' | 'missing' | null;
      readonly bytes: number;
      readonly at: EpochMs;
    }
  | { readonly type: 'document.answered'; readonly requestId: string; readonly outcome: ReadOutcome }
  | {
      readonly type: 'document.written';
      readonly requestId: string;
      readonly outcome: CommitOutcome;
      readonly bytes: number;
      readonly at: EpochMs;
    }
  | { readonly type: 'document.closed' };

export type CommitOutcome = { readonly ok: true } | { readonly ok: false; readonly reason: StoreFailure };
export type ReadOutcome =
  | { readonly ok: true; readonly value: unknown }
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
  };
}
