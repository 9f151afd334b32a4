import type { EpochMs, Milliseconds } from '../kit/units.ts';
import { emptyState } from './document.ts';
import type { EntityFilterContext, EntityFilterEvent, NoFilter, Showing, WishFact } from './events.ts';
import {
  type Account,
  type PersistedState,
  type PersistedAccount,
  type Learned,
  MOST_ACCOUNTS,
  MOST_DASHBOARDS,
} from './persisted.ts';
import { sameIds, setOf, withinBounds } from './sets.ts';

/** A change that the owner asks for; it is in force once the disk has it. */
export type Change = Extract<EntityFilterEvent, { readonly requestId: string }>;

/** Everything the filter's machine remembers. */
export interface FilterFacts extends EntityFilterContext {
  readonly wish: WishFact | null;
  /** What is kept of all accounts; null until the document was read. */
  readonly persisted: PersistedState | null;
  /** The change that is on its way to the disk. */
  readonly saving: Change | null;
  /** The credential whose account is known; null before the first scan. */
  readonly accountCredential: number | null;
  /** The dashboard that the start page leads to; null while that is not known. */
  readonly start: string | null;
  /** Dashboards that are to be scanned, the next one first. */
  readonly queue: readonly string[];
  /** Dashboards that were scanned, or queued, since this credential is in force. */
  readonly begun: readonly string[];
  /** First parts of paths that are no dashboards. */
  readonly others: readonly string[];
  /** Scans begun. */
  readonly scans: number;
  /** Scans that failed in a row. */
  readonly failures: number;
  /** The dashboard that the page is at; null while it is at none. */
  readonly place: string | null;
  /** Whether the newest subscription of the page could not be cut. */
  readonly uncut: boolean;
  /** Whether the dashboard was held back, or shown, once: then it is not held back again. */
  readonly heldOnce: boolean;
  /** Time of the newest event that carried one; 0 before the first. */
  readonly at: EpochMs;
}

/** Most paths of which it is remembered that they were scanned, or are no dashboards. */
export const MOST_BEGUN = 2 * MOST_DASHBOARDS;

/** What is known before anything is. */
export const initialFacts: FilterFacts = {
  account: null,
  noFilter: 'reading',
  learning: false,
  policy: emptyState.policy,
  manual: emptyState.manual,
  dashboards: [],
  dashboard: null,
  showing: 'off',
  known: null,
  revision: 0,
  sets: null,
  scan: null,
  scanFailure: null,
  holdSince: null,
  runtime: { modifiedSubscriptions: 0, failures: 0, directFallbacks: 0, entities: null },
  fault: null,
  wish: null,
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

/** Longest that the dashboard is held back for its first scan. */
export const HOLD_MS: Milliseconds = 20_000;

function noFilterOf({ wish, persisted }: FilterFacts): NoFilter {
  if (wish === null || persisted === null) return 'reading';
  if (!wish.builtin) return 'no-renderer';
  if (!wish.learning && !persisted.manual.enabled) return 'not-chosen';
  return wish.server === null || !wish.signedIn ? 'signed-out' : null;
}

const isOf = (account: Account, { server, user }: Account): boolean =>
  account.server === server && account.user === user;

/**
 * Whose sets are in force. The agent's first credential is taken for that of the account that was used last at this
 * server; another one is nobody's until a scan has said whose it is.
 */
function accountOf({ wish, persisted, account, accountCredential }: FilterFacts): Account | null {
  if (wish === null || persisted === null || wish.server === null || !wish.signedIn) return null;
  if (accountCredential !== null)
    return accountCredential === wish.credential && account?.server === wish.server ? account : null;
  const last = persisted.accounts.find(({ server }) => server === wish.server);
  return last === undefined ? null : { server: last.server, user: last.user };
}

/** What is kept of an account. */
const persistedOf = (persisted: PersistedState | null, account: Account | null): PersistedAccount | null =>
  account === null ? null : (persisted?.accounts.find((one) => isOf(one, account)) ?? null);

/** What was learned of one dashboard; an empty one where nothing was. */
export const learnedOf = (dashboards: readonly Learned[], dashboard: string): Learned =>
  dashboards.find((one) => one.dashboard === dashboard) ?? {
    dashboard,
    scannedAt: null,
    members: [],
    issues: [],
    ignored: [],
    active: null,
  };

/** The document with a change to what is kept of one account, which is the newest one now. */
export function withAccount(
  persisted: PersistedState,
  account: Account,
  change: (before: PersistedAccount) => Partial<PersistedAccount>,
): PersistedState {
  const before = persistedOf(persisted, account) ?? { ...account, start: null, dashboards: [] };
  const others = persisted.accounts.filter((one) => !isOf(one, account));
  return { ...persisted, accounts: [{ ...before, ...change(before) }, ...others].slice(0, MOST_ACCOUNTS) };
}

/** The same dashboards with one of them replaced; it is the newest, and what is beyond the bounds goes. */
export const withLearned = (dashboards: readonly Learned[], learned: Learned): readonly Learned[] =>
  withinBounds([learned, ...dashboards.filter(({ dashboard }) => dashboard !== learned.dashboard)]);

/** The home dashboard by its name; null while the start page's is not known. */
const homeOf = ({ wish, start }: Pick<FilterFacts, 'wish' | 'start'>): string | null =>
  wish === null ? null : wish.home === '' ? start : wish.home;

type Sets = FilterFacts['sets'];

/** The ids that each dashboard is sent; null while there is no filter. */
function setsOf(facts: FilterFacts): Sets {
  if (facts.noFilter !== null) return null;
  if (facts.learning) {
    const entries = facts.dashboards.flatMap(({ dashboard, active }) =>
      active === null ? [] : [[dashboard, active] as const],
    );
    const start = facts.dashboards.find(({ dashboard }) => dashboard === facts.start)?.active ?? null;
    // The start page is at a path of its own until it has led on: it does not connect twice.
    const sets = Object.fromEntries(entries);
    return facts.wish?.home === '' && start !== null ? { ...sets, '': start } : sets;
  }
  // A list of the owner's own is for every dashboard that is known of.
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

/** Dashboards that were scanned, the same list while it has not changed. */
function knownOf(facts: FilterFacts): FilterFacts['known'] {
  if (facts.noFilter !== null || !facts.learning) return null;
  const scanned = facts.dashboards.flatMap(({ dashboard, scannedAt }) => (scannedAt === null ? [] : [dashboard]));
  const known = [...scanned, ...facts.others].toSorted();
  return facts.known !== null && sameIds(known, facts.known) ? facts.known : known;
}

/** How a dashboard is shown, as far as its set says. */
export function showingOf(
  { noFilter, sets, dashboards, known }: Pick<EntityFilterContext, 'noFilter' | 'sets' | 'dashboards' | 'known'>,
  dashboard: string | null,
): Showing {
  if (noFilter !== null || dashboard === null || sets === null) return 'off';
  if (setOf(sets, dashboard) !== null) return 'filtered';
  if (learnedOf(dashboards, dashboard).scannedAt !== null) return 'unbounded';
  return known?.includes(dashboard) === true ? 'not-a-dashboard' : 'not-scanned';
}

/** Whether the home dashboard waits for its first scan. */
function isHeld(facts: FilterFacts): boolean {
  if (facts.noFilter !== null || !facts.learning || facts.heldOnce) return false;
  const home = homeOf(facts);
  if (home === null) return true;
  return !facts.others.includes(home) && learnedOf(facts.dashboards, home).scannedAt === null;
}

/** Dashboards that are to be scanned: what is queued, and those on the screen and at home once for each credential. */
function queued(facts: FilterFacts): Pick<FilterFacts, 'queue' | 'begun'> {
  if (facts.noFilter !== null || !facts.learning || facts.wish === null) return { queue: [], begun: [] };
  const due = [facts.place, facts.wish.home].flatMap((dashboard) =>
    dashboard === null || facts.begun.includes(dashboard) ? [] : [dashboard],
  );
  if (due.length === 0) return { queue: facts.queue, begun: facts.begun };
  const queue = [...new Set([...due, ...facts.queue])].slice(0, MOST_DASHBOARDS);
  return { queue, begun: [...new Set([...due, ...facts.begun])].slice(0, MOST_BEGUN) };
}

/** The facts with a change and everything that follows from it. */
export function settled(before: FilterFacts, change: Partial<FilterFacts>): FilterFacts {
  const facts = { ...before, ...change };
  const account = accountOf(facts);
  const own = persistedOf(facts.persisted, account);
  const whose: FilterFacts = {
    ...facts,
    account,
    noFilter: noFilterOf(facts),
    learning: facts.wish?.learning ?? false,
    policy: facts.persisted?.policy ?? initialFacts.policy,
    manual: facts.persisted?.manual ?? initialFacts.manual,
    dashboards: own?.dashboards ?? [],
    start: own?.start ?? null,
  };
  const placed = { ...whose, dashboard: whose.place ?? homeOf(whose) };
  const sets = setsOf(placed);
  const same = sameSets(sets, before.sets);
  const cut: FilterFacts = {
    ...placed,
    sets: same ? before.sets : sets,
    revision: same ? before.revision : before.revision + 1,
    known: knownOf(placed),
  };
  const showing = showingOf(cut, cut.dashboard);
  return {
    ...cut,
    ...queued(cut),
    showing: showing === 'filtered' && cut.uncut ? 'fallback' : showing,
    holdSince: isHeld(cut) ? (before.holdSince ?? cut.at) : null,
  };
}
