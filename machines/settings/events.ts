import type { SettingValue } from '../kit/setting.ts';

export type { SettingValue } from '../kit/setting.ts';

export type SettingsEvent =
  /**
   * Partial merge, all or nothing: a flat object of setting keys and `ha_expose_<key>` flags. A secret that is absent
   * or "" keeps its value, null clears it; null on any other key restores the default. One `reply` with a
   * `MergeOutcome`.
   */
  | {
      readonly type: 'settings.merge';
      readonly requestId: string;
      readonly patch: Readonly<Record<string, unknown>>;
      readonly own?: OwnWrite;
    }
  /**
   * Values that a command line gives, by setting; secrets too. Each is taken where nobody set another one on the panel,
   * all or nothing where one is not valid. One `reply` with a `ProvisionOutcome`.
   */
  | {
      readonly type: 'settings.provision';
      readonly requestId: string;
      readonly values: Readonly<Record<string, unknown>>;
    }
  | { readonly type: 'settings.stop' };

/** Marks a merge as one of the agent itself, which may set hidden credentials. */
export interface OwnWrite {
  /** Values that must still be in force, or the merge is refused. */
  readonly expect: Readonly<Record<string, SettingValue>>;
}

export type MergeOutcome =
  | { readonly status: 'saved'; readonly applied: readonly string[] }
  | { readonly status: 'no-op' }
  /** A reason per offending key, one plain sentence each; nothing was changed. */
  | { readonly status: 'refused'; readonly reasons: Readonly<Record<string, string>> }
  /** The disk refused; the previous configuration is in force. */
  | { readonly status: 'commit-failed'; readonly reason: string };

export type ProvisionOutcome =
  /** Keys that were changed, and those whose value was kept since somebody set it on the panel. */
  | { readonly status: 'provisioned'; readonly applied: readonly string[]; readonly kept: readonly string[] }
  | Extract<MergeOutcome, { readonly status: 'refused' | 'commit-failed' }>;

/** The configuration in force, durable by construction; secrets are only flags here. */
export interface SettingsContext {
  /** Every non-secret, settable key with its value (defaults filled in). */
  readonly values: Readonly<Record<string, SettingValue>>;
  /** Which secrets are set, by key. */
  readonly secrets: Readonly<Record<string, boolean>>;
  /** `ha_expose` state of every key that Home Assistant can show. */
  readonly expose: Readonly<Record<string, boolean>>;
  /** Eight lower-case hex digits over values, secret flags and expose (`cfg=` of the health line). */
  readonly digest: string;
  /**
   * 0 until loaded, then raised by one with every saved change, so that followers of secrets notice a replaced
   * password.
   */
  readonly revision: number;
  /** Keys of the stored file that were refused at start and replaced by defaults. */
  readonly dropped: readonly string[];
  /** Options of the command line whose files others than their owner can read, `--mqtt-pass-file`. */
  readonly openFiles: readonly string[];
}

/** What the settings machine tells its writer, which alone sees secrets. Served in order, one after another. */
export type WriterCommand =
  | { readonly type: 'writer.load' }
  | {
      readonly type: 'writer.merge';
      readonly requestId: string;
      readonly patch: Readonly<Record<string, unknown>>;
      readonly own: OwnWrite | null;
    }
  | {
      readonly type: 'writer.provision';
      readonly requestId: string;
      readonly values: Readonly<Record<string, unknown>>;
    }
  /** Finish what is under way, then say `writer.closed`. */
  | { readonly type: 'writer.close' };

/** What the writer reports; `facts` is null when the store did not answer. */
export type WriterFact =
  | { readonly type: 'writer.loaded'; readonly facts: SettingsContext }
  | { readonly type: 'writer.unread' }
  | {
      readonly type: 'writer.merged';
      readonly requestId: string;
      readonly outcome: MergeOutcome | ProvisionOutcome;
      readonly facts: SettingsContext | null;
    }
  | { readonly type: 'writer.closed' };

/** What the actor of the configuration shows to the rest of the house. */
export interface SettingsActor {
  readonly id: 'settings';
  readonly context: SettingsContext;
  readonly event: SettingsEvent;
  readonly asks: {
    readonly 'settings.merge': MergeOutcome;
    readonly 'settings.provision': ProvisionOutcome;
  };
}
