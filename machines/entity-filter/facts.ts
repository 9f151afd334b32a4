import type { EpochMs, Milliseconds } from '../kit/units.ts';
import { emptyState } from './document.ts';
import type { EntityFilterContext, EntityFilterEvent, NoFilter, Showing, DesiredFact } from './events.ts';
import {
  type Account,
  type PersistedState,
  type PersistedAccount,
  type Learned,
  MOST_ACCOUNTS,
  MOST_DASHBOARDS,
} from './persisted.ts';
import { sameIds, setOf, withinBounds } from './sets.ts';

/** A change requested by the owner; in force once it is saved. */
export type Change = Extract<EntityFilterEvent, { readonly requestId: string }>;

/** Context of the filter's machine. */
export interface FilterFacts extends EntityFilterContext {
  readonly desired: DesiredFact | null;
  /** The stored data of all accounts; null until the document was read. */
  readonly persisted: PersistedState | null;
  /** The change being saved. */
  readonly saving: Change | null;
  /** The credential whose account is known from a scan; null before the first scan. */
  readonly accountCredential: number | null;
  /** The dashboard that the start page redirects to; null if not known. */
  readonly start: string | null;
  /** Dashboards to scan, the next one first. */
  readonly queue: readonly string[];
  /** Dashboards scanned or queued since the current credential came into force. */
  readonly begun: readonly string[];
  /** First segments of paths that are not dashboards. */
  readonly others: readonly string[];
  /** Number of scans started. */
  readonly scans: number;
  /** Consecutive failed scans. */
  readonly failures: number;
  /** The dashboard that the page shows; null if it shows none. */
  readonly place: string | null;
  /** True if the newest subscription of the page could not be filtered. */
  readonly uncut: boolean;
  /** True once the dashboard was held back or shown; it is not held back a second time. */
  readonly heldOnce: boolean;
  /** Time of the newest event that carried one; 0 before the first. */
  readonly at: EpochMs;
}

/** Maximum length of `begun` and of `others`. */
export const MOST_BEGUN = 2 * MOST_DASHBOARDS;

export const initialFacts: FilterFacts = {
  account: null,
  noFilter: 'reading',
  learning: false,
  policy: emptyState.policy,
  manual: emptyState.manual,
  dashboards: [],
  dashboard: null,
  home: null,
  titles: [],
  showing: 'off',
  known: null,
  revision: 0,
  sets: null,
  scan: null,
  scanFailure: null,
  holdSince: null,
  runtime: { modifiedSubscriptions: 0, failures: 0, directFallbacks: 0, entities: null },
  fault: null,
  desired: null,
  persisted: null,
  saving: null,
  accountCredential: null,
  start: null,
  queue: [],
  begun: [],
  others: [],
  scans: 0,
  failures: 0,
  place: null,
  uncut: false,
  heldOnce: false,
  at: 0,
};

/** Limit for holding back the home dashboard until its first scan. */
export const HOLD_MS: Milliseconds = 20_000;

function noFilterOf({ desired, persisted }: FilterFacts): NoFilter {
  if (desired === null || persisted === null) return 'reading';
  if (!desired.builtin) return 'no-renderer';
  if (!desired.learning && !persisted.manual.enabled) return 'not-chosen';
  return desired.server === null || !desired.signedIn ? 'signed-out' : null;
}

const isOf = (account: Account, { server, user }: Account): boolean =>
  account.server === server && account.user === user;

/**
 * The account whose sets are in force. The first credential of a run is assumed to belong to the account last used at
 * this server; any other credential has no account until a scan has identified it.
 */
function accountOf({ desired, persisted, account, accountCredential }: FilterFacts): Account | null {
  if (desired === null || persisted === null || desired.server === null || !desired.signedIn) return null;
  if (accountCredential !== null)
    return accountCredential === desired.credential && account?.server === desired.server ? account : null;
  const last = persisted.accounts.find(({ server }) => server === desired.server);
  return last === undefined ? null : { server: last.server, user: last.user };
}

const persistedOf = (persisted: PersistedState | null, account: Account | null): PersistedAccount | null =>
  account === null ? null : (persisted?.accounts.find((one) => isOf(one, account)) ?? null);

/** The learned data of a dashboard, empty if there is none. */
export const learnedOf = (dashboards: readonly Learned[], dashboard: string): Learned =>
  dashboards.find((one) => one.dashboard === dashboard) ?? {
    dashboard,
    scannedAt: null,
    members: [],
    issues: [],
    ignored: [],
    active: null,
  };

/** Returns the document with one account changed; that account becomes the most recently used one. */
export function withAccount(
  persisted: PersistedState,
  account: Account,
  change: (before: PersistedAccount) => Partial<PersistedAccount>,
): PersistedState {
  const before = persistedOf(persisted, account) ?? { ...account, start: null, dashboards: [] };
  const others = persisted.accounts.filter((one) => !isOf(one, account));
  return { ...persisted, accounts: [{ ...before, ...change(before) }, ...others].slice(0, MOST_ACCOUNTS) };
}

/** Replaces one dashboard, which becomes the newest, and drops what exceeds the limits. */
export const withLearned = (dashboards: readonly Learned[], learned: Learned): readonly Learned[] =>
  withinBounds([learned, ...dashboards.filter(({ dashboard }) => dashboard !== learned.dashboard)]);

/** The home dashboard; null while it is the start page and its redirect is not known. */
const homeOf = ({ desired, start }: Pick<FilterFacts, 'desired' | 'start'>): string | null =>
  desired === null ? null : desired.home === '' ? start : desired.home;

type Sets = FilterFacts['sets'];

/** Ids for each dashboard; null while there is no filter. */
function setsOf(facts: FilterFacts): Sets {
  if (facts.noFilter !== null) return null;
  if (facts.learning) {
    const entries = facts.dashboards.flatMap(({ dashboard, active }) =>
      active === null ? [] : [[dashboard, active] as const],
    );
    const start = facts.dashboards.find(({ dashboard }) => dashboard === facts.start)?.active ?? null;
    // The page stays at "" until the start page redirects, and does not subscribe again afterwards.
    const sets = Object.fromEntries(entries);
    return facts.desired?.home === '' && start !== null ? { ...sets, '': start } : sets;
  }
  // A manual list applies to every known dashboard.
  const known = [homeOf(facts), facts.place, ...facts.dashboards.map(({ dashboard }) => dashboard)];
  return Object.fromEntries(known.flatMap((dashboard) => (dashboard === null ? [] : [[dashboard, facts.manual.ids]])));
}

function sameSets(a: Sets, b: Sets): boolean {
  if (a === null || b === null) return a === b;
  const entries = Object.entries(a);
  return (
    entries.length === Object.keys(b).length && entries.every(([dashboard, ids]) => sameIds(ids, setOf(b, dashboard)))
  );
}

/** Dashboards that were scanned; returns the same array while nothing changed. */
function knownOf(facts: FilterFacts): FilterFacts['known'] {
  if (facts.noFilter !== null || !facts.learning) return null;
  const scanned = facts.dashboards.flatMap(({ dashboard, scannedAt }) => (scannedAt === null ? [] : [dashboard]));
  const known = [...scanned, ...facts.others].toSorted();
  return facts.known !== null && sameIds(known, facts.known) ? facts.known : known;
}

/** How a dashboard is shown according to its set. */
export function showingOf(
  { noFilter, sets, dashboards, known }: Pick<EntityFilterContext, 'noFilter' | 'sets' | 'dashboards' | 'known'>,
  dashboard: string | null,
): Showing {
  if (noFilter !== null || dashboard === null || sets === null) return 'off';
  if (setOf(sets, dashboard) !== null) return 'filtered';
  if (learnedOf(dashboards, dashboard).scannedAt !== null) return 'unbounded';
  return known?.includes(dashboard) === true ? 'not-a-dashboard' : 'not-scanned';
}

/** True while the home dashboard waits for its first scan. */
function isHeld(facts: FilterFacts): boolean {
  if (facts.noFilter !== null || !facts.learning || facts.heldOnce) return false;
  const home = homeOf(facts);
  if (home === null) return true;
  return !facts.others.includes(home) && learnedOf(facts.dashboards, home).scannedAt === null;
}

/** The queue plus, once per credential, the dashboard on the screen and the home dashboard. */
function queued(facts: FilterFacts): Pick<FilterFacts, 'queue' | 'begun'> {
  if (facts.noFilter !== null || !facts.learning || facts.desired === null) return { queue: [], begun: [] };
  const due = [facts.place, facts.desired.home].flatMap((dashboard) =>
    dashboard === null || facts.begun.includes(dashboard) ? [] : [dashboard],
  );
  if (due.length === 0) return { queue: facts.queue, begun: facts.begun };
  const queue = [...new Set([...due, ...facts.queue])].slice(0, MOST_DASHBOARDS);
  return { queue, begun: [...new Set([...due, ...facts.begun])].slice(0, MOST_BEGUN) };
}

/** Applies a change and recomputes everything derived from it. */
export function settled(before: FilterFacts, change: Partial<FilterFacts>): FilterFacts {
  const facts = { ...before, ...change };
  const account = accountOf(facts);
  const own = persistedOf(facts.persisted, account);
  const owned: FilterFacts = {
    ...facts,
    account,
    noFilter: noFilterOf(facts),
    learning: facts.desired?.learning ?? false,
    policy: facts.persisted?.policy ?? initialFacts.policy,
    manual: facts.persisted?.manual ?? initialFacts.manual,
    dashboards: own?.dashboards ?? [],
    start: own?.start ?? null,
  };
  const home = homeOf(owned);
  const placed = { ...owned, home, dashboard: owned.place ?? home };
  const sets = setsOf(placed);
  const same = sameSets(sets, before.sets);
  const filtered: FilterFacts = {
    ...placed,
    sets: same ? before.sets : sets,
    revision: same ? before.revision : before.revision + 1,
    known: knownOf(placed),
  };
  const showing = showingOf(filtered, filtered.dashboard);
  return {
    ...filtered,
    ...queued(filtered),
    showing: showing === 'filtered' && filtered.uncut ? 'fallback' : showing,
    holdSince: isHeld(filtered) ? (before.holdSince ?? filtered.at) : null,
  };
}
