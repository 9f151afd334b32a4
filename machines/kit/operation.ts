import type { SettingValue } from './setting.ts';

/** An operation that needs a person in front of the panel; a manifest declares it under its stable name. */
export interface OperationRow {
  /**
   * `hardened`: asked in Hardened mode. `every`: asked in every mode, from any origin. Once it is approved the request
   * is repeated, unless the approval itself carries it out (`ProtectedRequest.effect`).
   */
  readonly in: 'hardened' | 'every';
  /** The question's title: an imperative phrase, sentence case, no full stop. */
  readonly title: string;
  /** What follows from approving it, for the person at the panel: one or two sentences; none if absent. */
  readonly consequence?: string;
  /** For an operation of every mode: what the owner of a panel without a place to ask can do instead, one sentence. */
  readonly withoutPlace?: string;
}

/** A request that an operation protects, in words for the panel's screen. */
export interface ProtectedRequest<O extends string = string> {
  readonly operation: O;
  /** What exactly is asked for, such as an address; shown quoted. */
  readonly what: string;
  /** What the approval binds, if that is less than the whole request. */
  readonly subject?: string;
  /** What the approval itself carries out (`Effect` of the approvals); if absent, the request is repeated. */
  readonly effect?: { readonly do: 'settings'; readonly patch: Readonly<Record<string, unknown>> };
}

/** A request that is never approved: it is refused with that code in Hardened mode, except from the panel itself. */
export interface Closed<C extends string = string> {
  readonly closed: C;
  readonly message: string;
}

/** What protects a request: nothing, an operation, the same with words, or that it is closed. */
export type Protection<O extends string = string, C extends string = string> =
  | O
  | ProtectedRequest<O>
  | Closed<C>
  | null;

/** What changes of a setting need in Hardened mode. */
export interface SettingProtection {
  readonly operation: string;
  /** True if this change needs it; every change does if absent. */
  readonly when?: (before: SettingValue, after: SettingValue) => boolean;
}
