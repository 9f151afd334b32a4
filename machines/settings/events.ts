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
      /** The origin of a save over HTTP, for the history; absent for all others. */
      readonly from?: RequestedFrom;
      /** The operation that a person approved for this very save; only the approvals and the microphone send it. */
      readonly consent?: string;
      /** Operations that were admitted for this save (`SettingMeta.protects`); none if absent. */
      readonly admitted?: readonly string[];
      /** Token of the job that it belongs to; a save of the job that holds the settings is made at once. */
      readonly token?: string;
      /** Digest that the configuration must still have; absent if any will do. */
      readonly expectDigest?: string;
    }
  /**
   * Holds the settings for a job, once the saves before it have ended: until the release, a save over HTTP is `busy` at
   * once, and any other waits at most 10 s. One `reply` with a `HoldOutcome`.
   */
  | { readonly type: 'settings.hold'; readonly requestId: string; readonly token: string }
  | { readonly type: 'settings.release'; readonly token: string }
  /**
   * Assigns a recipient to a stored secret, unless it was saved again since (`id`). One `reply` with an
   * `AssignOutcome`.
   */
  | ({ readonly type: 'settings.assign'; readonly requestId: string } & AssignRequest)
  /**
   * Values from the command line, by setting; secrets too. Each is applied unless the owner set another one on the
   * panel; if one is invalid, none is applied. One `reply` with a `ProvisionOutcome`.
   */
  | {
      readonly type: 'settings.provision';
      readonly requestId: string;
      readonly values: Readonly<Record<string, unknown>>;
    }
  /**
   * Turns off, at once and whatever else the settings are doing, what only a person at the panel turns on. It is
   * written to disk after that, until it is durable; a merge of the same tells when it is.
   */
  | { readonly type: 'settings.off'; readonly keys: readonly string[] }
  | { readonly type: 'settings.stop' };

/** The recipient of a stored secret, and why. */
export interface AssignRequest {
  /** Setting of the secret. */
  readonly key: string;
  /** Id of the assignment that this decision is based on. */
  readonly id: string;
  readonly recipient: Recipient;
  /** `bound`: it accepted the secret; `confirmed`: a person confirmed it. */
  readonly code: 'bound' | 'confirmed';
  readonly from: RequestedFrom | null;
}

export type AssignOutcome =
  | { readonly status: 'assigned' }
  /** The secret was saved again or removed meanwhile. */
  | { readonly status: 'changed' }
  | { readonly status: 'commit-failed'; readonly reason: string }
  /** Nothing was changed: a job holds the settings. */
  | { readonly status: 'busy' };

/** A change of the recipient of a secret. */
export interface RecipientChange {
  readonly at: EpochMs;
  /** `upgraded`: the earlier version had no recipients; `moved`: the settings now name another one. */
  readonly code: AssignRequest['code'] | 'upgraded' | 'moved';
  readonly from: RequestedFrom | null;
}

/** Marks a merge by the agent itself, which may set hidden credentials. */
export interface OwnWrite {
  /** Values that must be unchanged, or the merge is refused. */
  readonly expect: Readonly<Record<string, SettingValue>>;
}

/** `busy`: another job holds them, or the settings are stopping. */
export type HoldOutcome = { readonly status: 'held' } | { readonly status: 'busy' };

export type MergeOutcome =
  | {
      readonly status: 'saved';
      readonly applied: readonly string[];
      /** Credentials among them that were cleared because they were for another address; absent without any. */
      readonly cleared?: readonly string[];
    }
  | { readonly status: 'no-op' }
  /** A reason per offending key, one plain sentence each; nothing was changed. */
  | { readonly status: 'refused'; readonly reasons: Readonly<Record<string, string>> }
  /**
   * Writing to disk failed; the previous configuration stays in force. `off`: but for these settings, which are off
   * now (`SettingsContext.unsavedOff`); absent without any.
   */
  | { readonly status: 'commit-failed'; readonly reason: string; readonly off?: readonly string[] }
  /** Nothing was changed: a job holds the settings. */
  | { readonly status: 'busy' }
  /** Nothing was changed: the configuration has another digest by now. */
  | { readonly status: 'stale'; readonly digest: string };

export type ProvisionOutcome =
  /** Keys that were changed, and keys whose value was kept because the owner set it on the panel. */
  | {
      readonly status: 'provisioned';
      readonly applied: readonly string[];
      readonly kept: readonly string[];
      /** Credentials that were refused because they came without an address. */
      readonly unaddressed: readonly string[];
    }
  | Extract<MergeOutcome, { readonly status: 'refused' | 'commit-failed' | 'busy' }>;

/** The configuration in force, always as stored; secrets are only flags here. */
export interface SettingsContext {
  /** All settable keys but secrets, with their values (defaults filled in). */
  readonly values: Readonly<Record<string, SettingValue>>;
  /** Which secrets are set, by key. */
  readonly secrets: Readonly<Record<string, boolean>>;
  /** `ha_expose` state of every key that Home Assistant can show. */
  readonly expose: Readonly<Record<string, boolean>>;
  /** Eight lower-case hex digits over values, secret flags and expose (`cfg=` of the health line). */
  readonly digest: string;
  /**
   * 0 until loaded, then incremented with every saved change, so that followers of secrets notice a replaced password.
   */
  readonly revision: number;
  /** Stored keys that were refused at the start and replaced by defaults. */
  readonly dropped: readonly string[];
  /** Command-line options whose files others can read, such as `--mqtt-pass-file`. */
  readonly openFiles: readonly string[];
  /** The last change of a secret's recipient; null if there was none in this run. */
  readonly recipientChange: RecipientChange | null;
  /**
   * Settings with a consent that are off, although the disk still has them as on: it refused the change, which is
   * tried again until it is durable. If the agent restarts before that, they are on again. Empty but for that.
   */
  readonly unsavedOff: readonly string[];
  /** The same by their names for people. */
  readonly unsavedOffLabels: readonly string[];
}

export interface SettingsActor {
  readonly id: 'settings';
  readonly context: SettingsContext;
  readonly event: SettingsEvent;
  readonly asks: {
    readonly 'settings.hold': HoldOutcome;
    readonly 'settings.merge': MergeOutcome;
    readonly 'settings.assign': AssignOutcome;
    readonly 'settings.provision': ProvisionOutcome;
  };
}
