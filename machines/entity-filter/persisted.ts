import type { EpochMs } from '../kit/units.ts';

/** Most ids that all sets of an account hold together (as panel-assistant). */
export const MOST_IDS = 50_000;
/** Ids in order, each once; those that are so already are given back as they are, without sorting 50,000 again. */
export const inOrder = (ids: readonly string[]): readonly string[] =>
  ids.every((id, index) => index === 0 || (ids[index - 1] ?? '') < id) ? ids : [...new Set(ids)].toSorted();
/** Most accounts whose sets are kept; the one used longest ago goes first. */
export const MOST_ACCOUNTS = 8;
/** Most dashboards of one account that are learned. */
export const MOST_DASHBOARDS = 32;

/** Whose sets these are: no set is used for another server or account. */
export interface Account {
  /** Origin of Home Assistant. */
  readonly server: string;
  /** Id of the user at Home Assistant. */
  readonly user: string;
}

/** Where in a dashboard's configuration something stands. */
export interface Place {
  /** Title, path or number of the view; null for the dashboard itself. */
  readonly view: string | null;
  /** Kind of the card, `entities` or `custom:mini-graph-card`; null for the view itself. */
  readonly card: string | null;
}

/** Why an entity is in a set. */
export const sources = [
  /** Its id stands in the dashboard's configuration. */
  'configuration',
  /** An area, a floor, a label or a device of the configuration leads to it. */
  'target',
  /** The page read its state. */
  'read',
  /** Somebody opened its dialog. */
  'opened',
] as const;
export type Source = (typeof sources)[number];

/** One reason for an entity, and the place where there is one. */
export interface Evidence {
  readonly source: Source;
  readonly place: Place | null;
}

/** What the owner decided of one entity. */
export const overrides = ['auto', 'pinned', 'forced_exclude'] as const;
export type Override = (typeof overrides)[number];

/** One entity of a dashboard. */
export interface Member {
  readonly entityId: string;
  readonly override: Override;
  /** At most three; none is what only the owner named, what every set holds, or what is not learned by itself. */
  readonly evidence: readonly Evidence[];
  /** Scans in a row that found no evidence, 0 to 3; at three it is dropped, and until then its last evidence stays. */
  readonly misses: number;
  /** Whether Home Assistant had it at the newest scan; true of what was named since. */
  readonly exists: boolean;
}

/** Kinds of what stands in the way of a set, or what the owner should know of it. */
export const issueKinds = [
  /** A strategy makes the cards of a dashboard, a view or a section: it asks for all entities. Blocks. */
  'strategy',
  /** A card that shows what it finds among all entities. Blocks. */
  'enumerating-card',
  /** The code of a card went through all entities at run time. Blocks. */
  'enumerating-code',
  /** The house, the configuration or the set is more than fits: what was found is a part. Always blocks. */
  'too-large',
  /** What only a template returns must be pinned. */
  'template',
  /** An id of the configuration that Home Assistant does not have. */
  'missing',
] as const;
export type IssueKind = (typeof issueKinds)[number];

/** Something about a dashboard that the owner decides on. */
export interface Issue {
  /** 16 hex digits, the same for the same issue in every scan. */
  readonly fingerprint: string;
  readonly kind: IssueKind;
  /** Whether the dashboard is shown unfiltered because of it, unless it is ignored. */
  readonly blocks: boolean;
  readonly place: Place;
  /** The id that is missing, or the file of the code that enumerates; null else. */
  readonly subject: string | null;
}

/** What was learned of one dashboard. */
export interface Learned {
  /** First part of its path, `lovelace` or `kitchen-panel`. */
  readonly dashboard: string;
  /** When it was scanned last; null before the first scan that ended. */
  readonly scannedAt: EpochMs | null;
  /** How many entities Home Assistant had at the newest scan; absent where that was not kept. */
  readonly existing?: number;
  readonly members: readonly Member[];
  readonly issues: readonly Issue[];
  /** Fingerprints of the issues that the owner ignores. */
  readonly ignored: readonly string[];
  /** The ids that the dashboard is sent; null while it is shown unfiltered. */
  readonly active: readonly string[] | null;
}

/** What is learned by itself. */
export interface Policy {
  /** From the dashboards' configuration. */
  readonly auto_static: boolean;
  /** From what the page reads. */
  readonly auto_runtime: boolean;
}

/** A list that the owner gave in place of what is learned, for every dashboard. */
export interface Manual {
  readonly enabled: boolean;
  readonly ids: readonly string[];
}

/** What is kept of one account. */
export interface PersistedAccount extends Account {
  /** The dashboard that Home Assistant's start page led to last; null while that is not known. */
  readonly start: string | null;
  readonly dashboards: readonly Learned[];
}

/** What is kept in the document of the filter. */
export interface PersistedState {
  readonly version: 1;
  readonly policy: Policy;
  readonly manual: Manual;
  /** The account used last is the first. */
  readonly accounts: readonly PersistedAccount[];
}
