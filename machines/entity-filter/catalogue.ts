import type { Evidence, Learned, Member, Override } from './persisted.ts';
import { isWanted } from './sets.ts';

/**
 * Which rows of a dashboard to list. `subscribed`: in its set. `candidate`: outside it, without a decision. `review`:
 * missed by the newest scan, or absent from Home Assistant. `excluded`: by the owner.
 */
const rowFilters = ['subscribed', 'candidate', 'review', 'all', 'excluded', 'missing'] as const;
type RowFilter = (typeof rowFilters)[number];

/** Sort key; ties are sorted by entity id. An entity without a name is sorted by its id. */
export const rowSorts = ['entity_id', 'name', 'override', 'misses'] as const;
type RowSort = (typeof rowSorts)[number];

export interface CatalogueQuery {
  /** Substring of the id or the name, in lower case; empty for all. */
  readonly q: string;
  readonly filter: RowFilter;
  readonly sort: RowSort;
  readonly dir: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
}

export interface CatalogueRow {
  readonly entity_id: string;
  readonly name: string | null;
  /** True if it belongs to the set in force, or to the one that an activation would put into force. */
  readonly subscribed: boolean;
  readonly override: Override;
  /** True if Home Assistant did not have it at the newest scan. */
  readonly missing: boolean;
  /** Consecutive scans without evidence for it. */
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
  name: member.name ?? null,
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

/** Sorts by the requested key, then by id; `dir` reverses both. */
function inOrder(members: readonly Member[], { sort, dir }: CatalogueQuery): readonly Member[] {
  const sign = dir === 'asc' ? 1 : -1;
  const by = (member: Member): string | number =>
    sort === 'entity_id' ? '' : sort === 'name' ? (member.name ?? member.entityId).toLowerCase() : member[sort];
  return members
    .map((member) => ({ member, key: by(member) }))
    .toSorted((a, b) => sign * (compared(a.key, b.key) || compared(a.member.entityId, b.member.entityId)))
    .map(({ member }) => member);
}

/** The requested rows of a dashboard, and the total before paging. */
export function catalogueOf(
  learned: Pick<Learned, 'members'>,
  query: CatalogueQuery,
): { readonly items: readonly CatalogueRow[]; readonly total: number } {
  const listed = learned.members.filter(
    (member) =>
      (member.entityId.includes(query.q) || (member.name?.toLowerCase().includes(query.q) ?? false)) &&
      isListed(member, query.filter),
  );
  const page = inOrder(listed, query).slice(query.offset, query.offset + query.limit);
  return { items: page.map(rowOf), total: listed.length };
}

/** Counts of what the owner has to decide about a dashboard. */
export interface Decisions {
  /** Issues that are not ignored. */
  readonly dashboard_issue_count: number;
  /** Of these, the ones that keep the dashboard unfiltered. */
  readonly blocking_issue_count: number;
  readonly ignored_issue_count: number;
  /** Places with templates, which are not evaluated. */
  readonly dynamic_expressions: number;
}

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
