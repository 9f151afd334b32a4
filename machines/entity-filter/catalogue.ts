import type { Evidence, Learned, Member, Override } from './persisted.ts';
import { isWanted } from './sets.ts';

/**
 * Which rows of a dashboard are listed. `subscribed`: in its set. `candidate`: not in it, and nothing was decided.
 * `review`: missed by the newest scan, or Home Assistant does not have it. `excluded`: by the owner.
 */
const rowFilters = ['subscribed', 'candidate', 'review', 'all', 'excluded', 'missing'] as const;
type RowFilter = (typeof rowFilters)[number];

/** What rows are sorted by; those that are equal in it by their id. */
const rowSorts = ['entity_id', 'override', 'misses'] as const;
type RowSort = (typeof rowSorts)[number];

/** Which rows are asked for, and how many. */
export interface CatalogueQuery {
  /** A part of the id, in lower case; empty for all. */
  readonly q: string;
  readonly filter: RowFilter;
  readonly sort: RowSort;
  readonly dir: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
}

/** One entity as it is listed. */
export interface CatalogueRow {
  readonly entity_id: string;
  /** Whether it belongs to the set that the dashboard is sent, or that an activation would send. */
  readonly subscribed: boolean;
  readonly override: Override;
  /** Whether Home Assistant did not have it at the newest scan. */
  readonly missing: boolean;
  /** Scans in a row that found no evidence of it. */
  readonly misses: number;
  /** Why it belongs to the set, at most three. */
  readonly reasons: readonly {
    readonly source: Evidence['source'];
    readonly view: string | null;
    readonly card: string | null;
  }[];
}

function isListed(member: Member, filter: RowFilter): boolean {
  switch (filter) {
    case 'subscribed':
      return isWanted(member) && member.exists;
    case 'candidate':
      return member.override === 'auto' && !isWanted(member);
    case 'review':
      return member.misses > 0 || !member.exists;
    case 'excluded':
      return member.override === 'forced_exclude';
    case 'missing':
      return !member.exists;
    case 'all':
      return true;
  }
}

const rowOf = (member: Member): CatalogueRow => ({
  entity_id: member.entityId,
  subscribed: isWanted(member),
  override: member.override,
  missing: !member.exists,
  misses: member.misses,
  reasons: member.evidence.map(({ source, place }) => ({
    source,
    view: place?.view ?? null,
    card: place?.card ?? null,
  })),
});

const compared = (a: string | number, b: string | number): number => (a === b ? 0 : a < b ? -1 : 1);

/** By what is asked for, then by id; `dir` turns both around. */
function inOrder(members: readonly Member[], { sort, dir }: CatalogueQuery): readonly Member[] {
  const sign = dir === 'asc' ? 1 : -1;
  return members.toSorted(
    (a, b) => sign * ((sort === 'entity_id' ? 0 : compared(a[sort], b[sort])) || compared(a.entityId, b.entityId)),
  );
}

/** The rows of a dashboard that are asked for, and how many there are in all. */
export function catalogueOf(
  learned: Pick<Learned, 'members'>,
  query: CatalogueQuery,
): { readonly items: readonly CatalogueRow[]; readonly total: number } {
  const listed = learned.members.filter(
    (member) => member.entityId.includes(query.q) && isListed(member, query.filter),
  );
  const page = inOrder(listed, query).slice(query.offset, query.offset + query.limit);
  return { items: page.map(rowOf), total: listed.length };
}

/** How much of a dashboard waits for the owner's decision. */
export interface Decisions {
  /** Issues that are not ignored. */
  readonly dashboard_issue_count: number;
  /** Of these, those that keep the dashboard from being filtered. */
  readonly blocking_issue_count: number;
  /** Issues that are ignored. */
  readonly ignored_issue_count: number;
  /** Places with templates, which are not run. */
  readonly dynamic_expressions: number;
}

/** Counts of what the owner has to decide of a dashboard. */
export function decisionsOf({ issues, ignored }: Pick<Learned, 'issues' | 'ignored'>): Decisions {
  const allowed = new Set(ignored);
  const open = issues.filter(({ fingerprint }) => !allowed.has(fingerprint));
  return {
    dashboard_issue_count: open.length,
    blocking_issue_count: open.filter(({ blocks }) => blocks).length,
    ignored_issue_count: issues.length - open.length,
    dynamic_expressions: issues.filter(({ kind }) => kind === 'template').length,
  };
}
