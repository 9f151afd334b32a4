import type { RequestedFrom } from '../kit/requested-from.ts';
import type { EpochMs } from '../kit/units.ts';
import type { RunningJob } from '../maintenance/events.ts';

/** A portable copy of the configuration. */
export interface ConfigBundle {
  readonly kind: 'sconce-config';
  /** Schema number of the settings (`SETTINGS_SCHEMA`). */
  readonly schema: number;
  /** Milliseconds since the Unix epoch, as text (as panel-assistant). */
  readonly exported_at: string;
  /** The id of the panel that it is from. */
  readonly exported_by: string;
  /** One digest per known fingerprint of the machine that it is from, 64 hex digits each. */
  readonly origin: readonly string[];
  /** Settings and `ha_expose_*` flags as text. */
  readonly values: Readonly<Record<string, string>>;
}

/** A key that an import or a restore does not take, and why. */
export interface SkippedKey {
  readonly key: string;
  readonly reason:
    | 'unknown'
    | 'invalid'
    | 'reading'
    | 'hidden'
    | 'local'
    | 'consent'
    | 'identity-of-another-panel'
    | 'device-of-another-panel'
    | 'not-portable'
    | 'secret'
    | 'recipient-changed';
  /** One plain sentence. */
  readonly message: string;
}

/** A change that an import would make; the text of a secret is never in it. */
export interface PlannedChange {
  readonly key: string;
  /** Values as text; null for a secret, set or not. */
  readonly from: string | null;
  readonly to: string | null;
}

export interface ImportOptions {
  readonly mode: 'restore' | 'fleet';
  /** True to refuse the whole bundle if any key of it is invalid or unknown. */
  readonly strict: boolean;
  /** True to change nothing. */
  readonly dryRun: boolean;
  /** True if a preview must not tell which credentials are stored already. */
  readonly hidesStored: boolean;
  /** Eight hex digits of the configuration that the person saw; null if any will do. */
  readonly expectedCfg: string | null;
}

interface ImportLists {
  /** Keys that changed. */
  readonly applied: readonly string[];
  readonly skipped: readonly SkippedKey[];
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
}

export type ImportOutcome =
  | ({ readonly status: 'applied' | 'partial' | 'no-op' } & ImportLists)
  | ({
      readonly status: 'preview';
      readonly expectedCfg: string;
      readonly changes: readonly PlannedChange[];
    } & ImportLists)
  | { readonly status: 'bad-bundle' | 'wrong-kind-or-schema'; readonly message: string }
  | { readonly status: 'stale-preview'; readonly expectedCfg: string; readonly actualCfg: string }
  | ({ readonly status: 'rejected'; readonly reasons: Readonly<Record<string, string>> } & ImportLists)
  | { readonly status: 'busy'; readonly running: RunningJob | null }
  | { readonly status: 'error'; readonly reason: string };

/** A revision as it is listed. */
export interface ListedRevision {
  readonly id: number;
  readonly savedAt: EpochMs;
  /** Number of settings in it. */
  readonly keys: number;
  /** Keys that differ from the revision before; empty for the oldest. */
  readonly changed: readonly string[];
}

export type RestoreRevisionOutcome =
  | {
      readonly status: 'restored';
      readonly applied: readonly string[];
      /** Credentials among them that were cleared because they were for another address. */
      readonly cleared: readonly string[];
      /** Keys of the revision that stay as they are. */
      readonly skipped: readonly SkippedKey[];
    }
  | { readonly status: 'no-op' }
  | { readonly status: 'not-found' }
  | { readonly status: 'rejected'; readonly reasons: Readonly<Record<string, string>> }
  | { readonly status: 'busy'; readonly running: RunningJob | null }
  /** `off`: nothing was changed, but for these settings, which are off now; absent without any. */
  | { readonly status: 'error'; readonly reason: string; readonly off?: readonly string[] };

/** The answer to `config.export`; `unreadable` if the store does not answer. */
export type ExportOutcome =
  | { readonly status: 'exported'; readonly bundle: ConfigBundle }
  | { readonly status: 'unreadable' };

export type ConfigCopiesEvent =
  | {
      readonly type: 'config.export';
      readonly requestId: string;
      /** True to take the credentials along that a person can enter. */
      readonly secrets: boolean;
      readonly from: RequestedFrom;
      readonly at: EpochMs;
    }
  | {
      readonly type: 'config.import';
      readonly requestId: string;
      /** Parsed JSON, not validated. */
      readonly bundle: unknown;
      readonly options: ImportOptions;
      readonly from: RequestedFrom;
      readonly at: EpochMs;
    }
  | {
      readonly type: 'config.restore-revision';
      readonly requestId: string;
      readonly id: number;
      readonly from: RequestedFrom;
      readonly at: EpochMs;
    };

export interface ConfigCopiesContext {
  /** Newest first. */
  readonly revisions: readonly ListedRevision[];
  /** The last export with credentials in this run, for the history; null before the first. */
  readonly secretsExported: { readonly at: EpochMs; readonly from: RequestedFrom } | null;
  /** Code of why revisions cannot be written; null while they can. */
  readonly failure: string | null;
}

export interface ConfigCopiesActor {
  readonly id: 'config-copies';
  readonly context: ConfigCopiesContext;
  readonly event: ConfigCopiesEvent;
  readonly asks: {
    readonly 'config.export': ExportOutcome;
    readonly 'config.import': ImportOutcome;
    readonly 'config.restore-revision': RestoreRevisionOutcome;
  };
}
