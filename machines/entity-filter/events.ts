import type { Area, Device, Floor, RegisteredEntity } from '../home-assistant/events.ts';
import type { ReplyEvent } from '../kit/outcome.ts';
import type { EpochMs } from '../kit/units.ts';
import type { FilterFact } from '../renderer/events.ts';
import type { Account, Override, Learned, Policy, Manual, PersistedState } from './persisted.ts';

/** All that was read for one scan of a dashboard. */
export interface ScanInput {
  readonly dashboard: string;
  /** The dashboard's configuration as Home Assistant keeps it; null where it has none of its own (it is generated). */
  readonly configuration: unknown;
  /** Whether the configuration is that of a dashboard at all: `energy`, `history` or `config` have none. */
  readonly isDashboard: boolean;
  /** Ids in the preferences of the energy dashboard, whose cards name none. */
  readonly energyIds: readonly string[];
  readonly areas: readonly Area[];
  readonly floors: readonly Floor[];
  readonly devices: readonly Device[];
  readonly entities: readonly RegisteredEntity[];
  /** The id of every entity that has a state. */
  readonly existing: readonly string[];
}

/** What the scan's driver is told, and what it reports: milestones, then one end. */
export interface ScanCommand {
  readonly type: 'scan.start';
  readonly scan: number;
  /** First part of the path of the dashboard; "" is the one that Home Assistant's start page leads to. */
  readonly dashboard: string;
}
export type ScanFailure = 'signed-out' | 'unreachable' | 'busy' | 'no-answer';
export type ScanFact =
  | {
      readonly type: 'scan.milestone';
      readonly scan: number;
      readonly step: 1 | 2;
      readonly entities: number;
      /** When the scan began. */
      readonly since: EpochMs;
    }
  | {
      readonly type: 'scan.done';
      readonly scan: number;
      readonly user: string;
      readonly input: ScanInput;
      readonly at: EpochMs;
    }
  | { readonly type: 'scan.failed'; readonly scan: number; readonly reason: ScanFailure; readonly at: EpochMs }
  /** A dashboard was changed at Home Assistant. */
  | { readonly type: 'dashboard.changed'; readonly dashboard: string };

/** What the document's driver is told, and what it reports. */
export interface KeepCommand {
  readonly type: 'filters.keep';
  readonly persisted: PersistedState;
  /** The request that is answered once it is durable; null for what was learned. */
  readonly requestId: string | null;
}
export type KeepFact =
  | { readonly type: 'filters.recalled'; readonly persisted: PersistedState }
  | {
      readonly type: 'filters.persisted';
      readonly requestId: string | null;
      /** Null when it is durable, else the POSIX name of what the disk refused. */
      readonly failure: string | null;
    };

/** Somebody asks for a dashboard, which waits a moment for its scan. */
export interface WantedFact {
  readonly type: 'page.wanted';
  readonly dashboard: string;
}
/** What the filter needs to know of the rest of the panel. */
export interface WishFact {
  readonly type: 'filter.wished';
  /** Whether the built-in renderer shows the dashboard. */
  readonly builtin: boolean;
  /** Origin of Home Assistant; null without an address. */
  readonly server: string | null;
  readonly signedIn: boolean;
  /** Raised whenever another credential is in force. */
  readonly credential: number;
  /** Whether there is a connection to Home Assistant now. */
  readonly live: boolean;
  /** Whether Home Assistant is starting or stopping: it does not have all of its entities then. */
  readonly starting: boolean;
  /** Whether the owner chose automatic filtering (`dashboard_entity_learning`). */
  readonly learning: boolean;
  /** First part of the home page's path; "" is Home Assistant's start page. */
  readonly home: string;
}
/** The page is at another dashboard. */
export interface PlaceFact {
  readonly type: 'page.placed';
  readonly dashboard: string | null;
}

/** Answer to a change of the filter. */
export type FilterOutcome =
  | { readonly ok: true }
  | {
      readonly ok: false;
      /**
       * `not-ready`: the document was not read yet, or nothing was learned. `busy`: another change is being saved.
       * `unknown`: no such entity. `unknown-issue`: no issue has this fingerprint. `confirm`: it is asked for again
       * with a confirmation. `too-many`: above `MOST_IDS`. `not-saved`: the disk refused it.
       */
      readonly reason: 'not-ready' | 'busy' | 'unknown' | 'unknown-issue' | 'confirm' | 'too-many' | 'not-saved';
      readonly message: string;
    };

/** What may be told to the entity filter (registry id `entity-filter`); each with a `requestId` is answered once. */
export type EntityFilterEvent =
  /** Scans the dashboard now. */
  | { readonly type: 'entity-filter.sync' }
  | { readonly type: 'entity-filter.policy'; readonly requestId: string; readonly policy: Policy }
  /** What the owner decides of entities of a dashboard; `candidates` stands for all that are not in its set. */
  | {
      readonly type: 'entity-filter.override';
      readonly requestId: string;
      readonly dashboard: string;
      readonly entityIds: readonly string[] | 'candidates';
      readonly override: Override;
      /** Also where the page reads the entity, or Home Assistant does not have it. */
      readonly force: boolean;
    }
  | {
      readonly type: 'entity-filter.decide';
      readonly requestId: string;
      readonly fingerprint: string;
      readonly ignored: boolean;
    }
  /** Sends the dashboard what was learned, also where issues that block were ignored; asks for a confirmation first. */
  | {
      readonly type: 'entity-filter.activate';
      readonly requestId: string;
      readonly dashboard: string;
      readonly confirm: boolean;
    }
  /** Forgets what was learned and decided of all dashboards of this account. */
  | {
      readonly type: 'entity-filter.reset';
      readonly requestId: string;
      readonly confirm: boolean;
      /** Also what the dashboards are sent now. */
      readonly clearFilter: boolean;
    }
  | { readonly type: 'entity-filter.manual'; readonly requestId: string; readonly manual: Manual };

/** Every event of the machine. */
export type EntityFilterMachineEvent =
  | EntityFilterEvent
  | WishFact
  | PlaceFact
  | WantedFact
  | ScanFact
  | KeepFact
  /** What the page reports. */
  | FilterFact;

/** All that the machine emits. */
export type EntityFilterEmitted = ReplyEvent<FilterOutcome>;

/** Why there is no filter at all; null where there is one. */
export type NoFilter = 'reading' | 'not-chosen' | 'no-renderer' | 'signed-out' | null;

/** How a dashboard is shown, in a word. */
export const showings = [
  'off',
  'filtered',
  /** On purpose: it cannot be bounded. */
  'unbounded',
  /** It is no dashboard with a configuration of its own. */
  'not-a-dashboard',
  /** It is being scanned, or could not be. */
  'not-scanned',
  /** The page's subscription could not be cut. */
  'fallback',
] as const;
export type Showing = (typeof showings)[number];

/** Public facts of the filter. Ids stand on its own pages alone; status has the view and kind of card of a place. */
export interface EntityFilterContext {
  readonly account: Account | null;
  readonly noFilter: NoFilter;
  readonly learning: boolean;
  readonly policy: Policy;
  readonly manual: Manual;
  /** What was learned of this account's dashboards. */
  readonly dashboards: readonly Learned[];
  /** The dashboard on the screen, or the home one while none is; null while nothing is known. */
  readonly dashboard: string | null;
  /** How that one is shown. */
  readonly showing: Showing;
  /** Dashboards of which it is known what they are sent; null while none is learned. */
  readonly known: readonly string[] | null;
  /** Raised with each change of what dashboards are sent. */
  readonly revision: number;
  /** The ids each dashboard is sent; one that is not here is sent everything. Null while there is no filter. */
  readonly sets: Readonly<Record<string, readonly string[]>> | null;
  /** The scan that runs; null while none does. */
  readonly scan: {
    readonly number: number;
    readonly dashboard: string;
    /** 1: reading entities. 2: building the set. */
    readonly step: 1 | 2;
    /** Entities read so far. */
    readonly entities: number;
    readonly since: EpochMs;
  } | null;
  /** Why the newest scan failed; null after one that did not. */
  readonly scanFailure: ScanFailure | null;
  /** Since when the dashboard is held back for its first scan; null while it is not. */
  readonly holdSince: EpochMs | null;
  /** What the page did: subscriptions that were cut, that failed to be, and that went out uncut for want of a wrap. */
  readonly runtime: {
    readonly modifiedSubscriptions: number;
    readonly failures: number;
    readonly directFallbacks: number;
    /** Entities of the newest subscription; null for all. */
    readonly entities: number | null;
  };
  /** What the disk refused last; null when it took it. */
  readonly fault: string | null;
}

/** What the actor of the filter shows to the rest of the house. */
export interface EntityFilterActor {
  readonly id: 'entity-filter';
  readonly context: EntityFilterContext;
  readonly event: EntityFilterEvent;
  readonly asks: {
    readonly 'entity-filter.policy': FilterOutcome;
    readonly 'entity-filter.override': FilterOutcome;
    readonly 'entity-filter.decide': FilterOutcome;
    readonly 'entity-filter.activate': FilterOutcome;
    readonly 'entity-filter.reset': FilterOutcome;
    readonly 'entity-filter.manual': FilterOutcome;
  };
}
