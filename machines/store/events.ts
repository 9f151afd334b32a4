import type { EpochMs } from '../kit/units.ts';

/**
 * Why a commit or a read of the store failed: POSIX error names, never library messages. `newer-format`: a newer
 * version wrote what would be replaced.
 */
export type StoreFailure = 'ENOSPC' | 'EROFS' | 'EACCES' | 'EIO' | 'EDQUOT' | 'unreadable' | 'newer-format' | 'unknown';

/** The source of the document at the last start; `copy` is from before a newer version wrote it. */
type LoadedFrom = 'current' | 'previous' | 'copy' | 'empty';

/** A document that a newer version wrote, which this one cannot read. */
export interface NewerDocument {
  /** Its format. */
  readonly version: number;
  /** When the copy in use was last saved; null if there is none, and nothing is saved until the owner decides. */
  readonly copyFrom: EpochMs | null;
}

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
  /** Reads all sections, of the document and of files, as of one moment; answered with a `SnapshotOutcome`. */
  | { readonly type: 'store.snapshot'; readonly requestId: string }
  /**
   * The owner's decision to begin without a newer document of which there is no copy: it is kept aside, and the new one
   * has the identity alone. Answered with a `CommitOutcome`; the agent has to be restarted then.
   */
  | { readonly type: 'store.start-over'; readonly requestId: string }
  | { readonly type: 'store.stop' };

/** The result of loading at a start. */
export interface Loaded {
  readonly from: LoadedFrom;
  /** Why the current file was not used; null if it was, or if there never was one. */
  readonly trouble: 'unreadable' | 'missing' | null;
  /** Size of the document's file, -1 before it was first written. */
  readonly bytes: number;
  /** The document of a newer version; null if there is none. */
  readonly newer: NewerDocument | null;
  /** Sections whose separate file was damaged, missing, or written by a newer version. */
  readonly damaged: readonly DamagedSection[];
}

/**
 * A section whose separate file was damaged or missing, and what was read instead; `unreadable` if neither the file nor
 * its copy can be opened, `newer` if a newer version wrote it and there is no copy from before: both stay untouched.
 */
export interface DamagedSection {
  readonly section: string;
  readonly from: LoadedFrom | 'unreadable' | 'newer';
}

export type CommitOutcome = { readonly ok: true } | { readonly ok: false; readonly reason: StoreFailure };
export type ReadOutcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: StoreFailure };
export type ReadAllOutcome =
  | { readonly ok: true; readonly values: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly reason: StoreFailure };

export type SnapshotOutcome =
  | {
      readonly ok: true;
      /** Every stored section by name, secrets too. */
      readonly sections: Readonly<Record<string, unknown>>;
      /** Sections that are stored and cannot be read. */
      readonly unreadable: readonly string[];
    }
  | { readonly ok: false; readonly reason: StoreFailure };

/** Public facts of the store; the document itself never enters the context. */
export interface StoreContext {
  readonly loadedFrom: LoadedFrom | null;
  /** What was lost at the start, for the owner (`reason` is one plain sentence); null if nothing was. */
  readonly loss: { readonly reason: string; readonly at: EpochMs } | null;
  /**
   * The document of a newer version, found at the start; null if there is none. Without a copy, commits are refused
   * with `newer-format` until the owner decides.
   */
  readonly newer: NewerDocument | null;
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
    readonly 'store.snapshot': SnapshotOutcome;
    readonly 'store.start-over': CommitOutcome;
  };
}
