import type { Area, Device, Floor, RegisteredEntity } from '../home-assistant/events.ts';
import type { ReplyEvent } from '../kit/outcome.ts';
import type { EpochMs } from '../kit/units.ts';
import type { FilterFact } from '../renderer/events.ts';
import type { Account, Override, Learned, Policy, Manual, PersistedState } from './persisted.ts';

/** A dashboard in the sidebar of Home Assistant. */
export interface DashboardTitle {
  /** First segment of its path. */
  readonly dashboard: string;
  readonly title: string;
}

/** Everything read for one scan of a dashboard. */
export interface ScanInput {
  readonly dashboard: string;
  /** The dashboard's configuration as stored in Home Assistant; null if it has none, since it is generated. */
  readonly configuration: unknown;
  /** True if this is a dashboard at all: `energy`, `history` or `config` are not. */
  readonly isDashboard: boolean;
  /** Ids from the preferences of the energy dashboard, whose cards name none. */
  readonly energyIds: readonly string[];
  readonly areas: readonly Area[];
  readonly floors: readonly Floor[];
  readonly devices: readonly Device[];
  readonly entities: readonly RegisteredEntity[];
  /** Ids of all entities that have a state. */
  readonly existing: readonly string[];
  /** Their friendly names in the same order; "" without one. */
  readonly names: readonly string[];
}

/** Starts a scan; the driver reports milestones, then one end. */
export interface ScanCommand {
  readonly type: 'scan.start';
  readonly scan: number;
  /** First segment of the dashboard's path; "" for the dashboard that Home Assistant's start page leads to. */
  readonly dashboard: string;
}
export type ScanFailure = 'signed-out' | 'unreachable' | 'busy' | 'no-answer';
export type ScanFact =
  | {
      readonly type: 'scan.milestone';
      readonly scan: number;
      readonly step: 1 | 2;
      readonly entities: number;
      /** Start of the scan. */
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
  /** A dashboard was changed in Home Assistant. */
  | { readonly type: 'dashboard.changed'; readonly dashboard: string }
  /** The dashboards of Home Assistant with their titles, at first and after each change. */
  | { readonly type: 'dashboards.listed'; readonly titles: readonly DashboardTitle[] };

/** Saves the document. */
export interface KeepCommand {
  readonly type: 'filters.keep';
  readonly persisted: PersistedState;
  /** The request to answer once it is durable; null if only learned data is saved. */
  readonly requestId: string | null;
}
export type KeepFact =
  | { readonly type: 'filters.recalled'; readonly persisted: PersistedState }
  | {
      readonly type: 'filters.persisted';
      readonly requestId: string | null;
      /** Null if it is durable, else the POSIX name of the disk's error. */
      readonly failure: string | null;
    };

/** A navigation to a dashboard waits briefly for its scan. */
export interface WantedFact {
  readonly type: 'page.wanted';
  readonly dashboard: string;
}
/** What the filter follows from the rest of the panel. */
export interface DesiredFact {
  readonly type: 'filter.desired';
  /** True if the built-in renderer shows the dashboard. */
  readonly builtin: boolean;
  /** Origin of Home Assistant; null if no address is set. */
  readonly server: string | null;
  readonly signedIn: boolean;
  /** Incremented with each new credential. */
  readonly credential: number;
  /** True while connected to Home Assistant. */
  readonly live: boolean;
  /** True while Home Assistant starts or stops: it does not have all of its entities then. */
  readonly starting: boolean;
  /** True if the owner turned on automatic filtering (`dashboard_entity_learning`). */
  readonly learning: boolean;
  /** First segment of the home dashboard's path; "" for Home Assistant's start page. */
  readonly home: string;
}
/** The page moved to another dashboard. */
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
       * `unknown`: no such entity. `unknown-issue`: no issue has this fingerprint. `confirm`: repeat the request with a
       * confirmation. `too-many`: above `MOST_IDS`. `not-saved`: the disk refused it.
       */
      readonly reason: 'not-ready' | 'busy' | 'unknown' | 'unknown-issue' | 'confirm' | 'too-many' | 'not-saved';
      readonly message: string;
    };

/** Commands to the entity filter (registry id `entity-filter`); each one with a `requestId` is answered once. */
export type EntityFilterEvent =
  /** Scans a dashboard now; null for the one on the screen. */
  | { readonly type: 'entity-filter.sync'; readonly dashboard: string | null }
  | { readonly type: 'entity-filter.policy'; readonly requestId: string; readonly policy: Policy }
  /** The owner's decision on entities of a dashboard; `candidates` means all members outside its set. */
  | {
      readonly type: 'entity-filter.override';
      readonly requestId: string;
      readonly dashboard: string;
      readonly entityIds: readonly string[] | 'candidates';
      readonly override: Override;
      /**
       * True to apply the decision without a confirmation, even if the page reads the entity or Home Assistant does not
       * have it.
       */
      readonly force: boolean;
    }
  | {
      readonly type: 'entity-filter.decide';
      readonly requestId: string;
      readonly fingerprint: string;
      readonly ignored: boolean;
    }
  /**
   * Puts the learned set into force, even where blocking issues were ignored; without `confirm` the first request is
   * refused.
   */
  | {
      readonly type: 'entity-filter.activate';
      readonly requestId: string;
      readonly dashboard: string;
      readonly confirm: boolean;
    }
  /** Deletes what was learned and decided about all dashboards of this account. */
  | {
      readonly type: 'entity-filter.reset';
      readonly requestId: string;
      readonly confirm: boolean;
      /** True to delete the sets in force too. */
      readonly clearFilter: boolean;
    }
  | { readonly type: 'entity-filter.manual'; readonly requestId: string; readonly manual: Manual };

export type EntityFilterMachineEvent =
  | EntityFilterEvent
  | DesiredFact
  | PlaceFact
  | WantedFact
  | ScanFact
  | KeepFact
  /** Reports of the page. */
  | FilterFact;

export type EntityFilterEmitted = ReplyEvent<FilterOutcome>;

/** Why nothing is filtered; null while the filter is on. */
export type NoFilter = 'reading' | 'not-chosen' | 'no-renderer' | 'signed-out' | null;

/** How a dashboard is shown. */
export const showings = [
  'off',
  'filtered',
  /** It gets everything on purpose: what it shows cannot be determined. */
  'unbounded',
  /** It is not a dashboard with a configuration of its own. */
  'not-a-dashboard',
  /** Its scan is pending or failed. */
  'not-scanned',
  /** The page's subscription could not be filtered. */
  'fallback',
] as const;
export type Showing = (typeof showings)[number];

/**
 * Public facts of the filter. Only its own pages show entity ids; the status shows at most the view and the kind of
 * card of a place.
 */
export interface EntityFilterContext {
  readonly account: Account | null;
  readonly noFilter: NoFilter;
  readonly learning: boolean;
  readonly policy: Policy;
  readonly manual: Manual;
  /** What was learned about this account's dashboards. */
  readonly dashboards: readonly Learned[];
  /** The dashboard on the screen, else the home dashboard; null while neither is known. */
  readonly dashboard: string | null;
  /** The home dashboard; null while it is the start page and its redirect is not known. */
  readonly home: string | null;
  /** The dashboards in Home Assistant's sidebar, in its order; empty until they were read. */
  readonly titles: readonly DashboardTitle[];
  /** How `dashboard` is shown. */
  readonly showing: Showing;
  /** Dashboards whose filter has been decided; null while nothing is learned. */
  readonly known: readonly string[] | null;
  /** Incremented with each change of `sets`. */
  readonly revision: number;
  /** Ids for each dashboard; one that is missing here receives everything. Null while there is no filter. */
  readonly sets: Readonly<Record<string, readonly string[]>> | null;
  /** The running scan, if any. */
  readonly scan: {
    readonly number: number;
    readonly dashboard: string;
    /** 1: reading entities. 2: building the set. */
    readonly step: 1 | 2;
    /** Entities read so far. */
    readonly entities: number;
    readonly since: EpochMs;
  } | null;
  /** Why the newest scan failed; null if it succeeded. */
  readonly scanFailure: ScanFailure | null;
  /** Since when the home dashboard waits for its first scan; null while it does not. */
  readonly holdSince: EpochMs | null;
  /**
   * Counts of subscriptions: filtered ones, failures to filter one, and ones sent unfiltered because the page's
   * connection could not be wrapped.
   */
  readonly runtime: {
    readonly modifiedSubscriptions: number;
    readonly failures: number;
    readonly directFallbacks: number;
    /** Entities of the newest subscription; null for all. */
    readonly entities: number | null;
  };
  /** Error of the last save; null after one that succeeded. */
  readonly fault: string | null;
}

/** Public interface of the filter actor. */
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
