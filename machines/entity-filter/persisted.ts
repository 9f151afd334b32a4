import type { EpochMs } from '../kit/units.ts';

/** Maximum number of ids in all sets of an account together (as panel-assistant). */
export const MOST_IDS = 50_000;
/**
 * Sorts ids and removes duplicates; a list that is already sorted is returned as it is, since sorting 50,000 again is
 * slow.
 */
export const inOrder = (ids: readonly string[]): readonly string[] =>
  ids.every((id, index) => index === 0 || (ids[index - 1] ?? '') < id) ? ids : [...new Set(ids)].toSorted();
/** Maximum number of accounts; the least recently used one is dropped first. */
export const MOST_ACCOUNTS = 8;
/** Maximum number of learned dashboards per account. */
export const MOST_DASHBOARDS = 32;

/** Maximum length of an origin, a user id and a name, in characters. */
export const NAME_LENGTH = 255;

/** The account that sets belong to: no set is used for another server or user. */
export interface Account {
  /** Origin of Home Assistant. */
  readonly server: string;
  /** Id of the user in Home Assistant. */
  readonly user: string;
}

/** A place in a dashboard's configuration. */
export interface Place {
  /** Title, path or number of the view; null for the dashboard itself. */
  readonly view: string | null;
  /** Kind of the card, `entities` or `custom:mini-graph-card`; null for the view itself. */
  readonly card: string | null;
}

export const sources = [
  /** The dashboard's configuration contains its id. */
  'configuration',
  /** It belongs to an area, a floor, a label or a device in the configuration. */
  'target',
  /** The page read its state. */
  'read',
  /** Its more-info dialog was opened. */
  'opened',
] as const;
export type Source = (typeof sources)[number];

/** A reason for an entity to be in the set, with its place if any. */
export interface Evidence {
  readonly source: Source;
  readonly place: Place | null;
}

/** The owner's decision on an entity. */
export const overrides = ['auto', 'pinned', 'forced_exclude'] as const;
export type Override = (typeof overrides)[number];

/** One entity of a dashboard. */
export interface Member {
  readonly entityId: string;
  /** Its friendly name at the newest scan; absent without one. */
  readonly name?: string;
  readonly override: Override;
  /**
   * At most three. Empty if only the owner added it, if it belongs to every set, or if the policy does not learn it.
   */
  readonly evidence: readonly Evidence[];
  /** Consecutive scans without evidence, 0 to 3. At three it is dropped; until then its last evidence stays. */
  readonly misses: number;
  /** True if Home Assistant had it at the newest scan, or if it was added since. */
  readonly exists: boolean;
}

/** Kinds of issues that prevent a filter or that the owner should know about. */
export const issueKinds = [
  /** A strategy generates the cards of a dashboard, a view or a section: it reads all entities. Blocks. */
  'strategy',
  /** A card searches all entities for what it shows. Blocks. */
  'enumerating-card',
  /** The code of a card iterated over all entities at run time. Blocks. */
  'enumerating-code',
  /** The house, the configuration or the set exceeds the limits, so what was found is incomplete. Always blocks. */
  'too-large',
  /** A template: entities that only it returns must be pinned. */
  'template',
  /** An id of the configuration that Home Assistant does not have. */
  'missing',
] as const;
export type IssueKind = (typeof issueKinds)[number];

export interface Issue {
  /** 16 hex digits, the same for the same issue in every scan. */
  readonly fingerprint: string;
  readonly kind: IssueKind;
  /** True if it keeps the dashboard unfiltered unless ignored. */
  readonly blocks: boolean;
  readonly place: Place;
  /** The missing id, or the file of the code that enumerates; else null. */
  readonly subject: string | null;
}

export interface Learned {
  /** First segment of its path, such as `lovelace` or `kitchen-panel`. */
  readonly dashboard: string;
  /** Time of the last finished scan; null before the first. */
  readonly scannedAt: EpochMs | null;
  /** Number of entities in Home Assistant at the newest scan; absent if unknown. */
  readonly existing?: number;
  readonly members: readonly Member[];
  readonly issues: readonly Issue[];
  /** Fingerprints of ignored issues. */
  readonly ignored: readonly string[];
  /** The ids that the dashboard receives; null while it is unfiltered. */
  readonly active: readonly string[] | null;
}

/** What the panel may learn without the owner's decision. */
export interface Policy {
  /** From the dashboards' configuration. */
  readonly auto_static: boolean;
  /** From what the page reads. */
  readonly auto_runtime: boolean;
}

/** A manual list that replaces the learned sets of every dashboard. */
export interface Manual {
  readonly enabled: boolean;
  readonly ids: readonly string[];
}

/** Stored data of one account. */
export interface PersistedAccount extends Account {
  /** The dashboard that Home Assistant's start page last redirected to; null if not known. */
  readonly start: string | null;
  readonly dashboards: readonly Learned[];
}

/** The stored document of the filter. */
export interface PersistedState {
  readonly version: 1;
  readonly policy: Policy;
  readonly manual: Manual;
  /** Most recently used first. */
  readonly accounts: readonly PersistedAccount[];
}
