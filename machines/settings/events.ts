import type { Recipient } from '../kit/recipient.ts';
import type { RequestedFrom } from '../kit/requested-from.ts';
import type { SettingValue } from '../kit/setting.ts';
import type { EpochMs } from '../kit/units.ts';

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
      /** Where a save over HTTP comes from, for the history; left out for all others. */
      readonly from?: RequestedFrom;
    }
  /**
   * A stored secret gets its recipient, unless another save has brought it since (`id`). One `reply` with an
   * `AssignOutcome`.
   */
  | ({ readonly type: 'settings.assign'; readonly requestId: string } & AssignRequest)
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

/** Whom a stored secret is for, and how that came. */
export interface AssignRequest {
  /** Setting of the secret. */
  readonly key: string;
  /** The assignment that this is decided on. */
  readonly id: string;
  readonly recipient: Recipient;
  /** `bound`: it accepted the secret; `confirmed`: a person said so. */
  readonly code: 'bound' | 'confirmed';
  readonly from: RequestedFrom | null;
}

export type AssignOutcome =
  | { readonly status: 'assigned' }
  /** Another save brought the secret meanwhile, or removed it. */
  | { readonly status: 'changed' }
  | { readonly status: 'commit-failed'; readonly reason: string };

/** Something that happened to the recipient of a secret. */
export interface RecipientChange {
  readonly at: EpochMs;
  /** `upgraded`: recipients were not kept before; `moved`: the settings name another recipient now. */
  readonly code: AssignRequest['code'] | 'upgraded' | 'moved';
  readonly from: RequestedFrom | null;
}

/** Marks a merge as one of the agent itself, which may set hidden credentials. */
export interface OwnWrite {
  /** Values that must still be in force, or the merge is refused. */
  readonly expect: Readonly<Record<string, SettingValue>>;
}

export type MergeOutcome =
  | {
      readonly status: 'saved';
      readonly applied: readonly string[];
      /** Credentials among them that were cleared because they were for another address; left out without any. */
      readonly cleared?: readonly string[];
    }
  | { readonly status: 'no-op' }
  /** A reason per offending key, one plain sentence each; nothing was changed. */
  | { readonly status: 'refused'; readonly reasons: Readonly<Record<string, string>> }
  /** The disk refused; the previous configuration is in force. */
  | { readonly status: 'commit-failed'; readonly reason: string };

export type ProvisionOutcome =
  /** Keys that were changed, and those whose value was kept since somebody set it on the panel. */
  | {
      readonly status: 'provisioned';
      readonly applied: readonly string[];
      readonly kept: readonly string[];
      /** Credentials that were refused, because no address was given beside them. */
      readonly unaddressed: readonly string[];
    }
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
  /** What happened last to the recipient of a secret; null where nothing did in this run. */
  readonly recipientChange: RecipientChange | null;
}

/** What the actor of the configuration shows to the rest of the house. */
export interface SettingsActor {
  readonly id: 'settings';
  readonly context: SettingsContext;
  readonly event: SettingsEvent;
  readonly asks: {
    readonly 'settings.merge': MergeOutcome;
    readonly 'settings.assign': AssignOutcome;
    readonly 'settings.provision': ProvisionOutcome;
  };
}
