import type { Evidence, Learned, Member, Override } from './events.ts';

/** Which rows of a dashboard are listed. */
export const rowFilters = ['subscribed', 'candidate', 'review', 'all', 'excluded', 'missing'] as const;
export type RowFilter = (typeof rowFilters)[number];

/** What rows are sorted by. */
export const rowSorts = ['entity_id', 'override', 'misses'] as const;
export type RowSort = (typeof rowSorts)[number];

/** Which rows are asked for, and how many. */
export interface CatalogueQuery {
  /** A part of the id; empty for all. */
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
  readonly subscribed: boolean;
  readonly override: Override;
  /** Whether Home Assistant did not have it at the newest scan. */
  readonly missing: boolean;
  readonly misses: number;
  readonly reasons: readonly {
    readonly source: Evidence['source'];
    readonly view: string | null;
    readonly card: string | null;
  }[];
}

const isWanted = ({ override, evidence, exists }: Member): boolean =>
  override !== 'forced_exclude' && (override === 'pinned' || (exists && evidence.length > 0));

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

const isListed = (row: CatalogueRow, filter: RowFilter): boolean => {
  switch (filter) {
    case 'subscribed':
      return row.subscribed;
    case 'candidate':
      return !row.subscribed && row.override === 'auto';
    case 'review':
      return row.misses > 0 || row.missing;
    case 'excluded':
      return row.override === 'forced_exclude';
    case 'missing':
      return row.missing;
    case 'all':
      return true;
  }
};

/** Placeholder until the one that learns is there: the rows of a dashboard that are asked for. */
export const catalogueOf = (
  learned: Learned,
  { q, filter, sort, dir, limit, offset }: CatalogueQuery,
): { readonly items: readonly CatalogueRow[]; readonly total: number } => {
  const rows = learned.members
    .filter(({ entityId }) => entityId.includes(q))
    .map(rowOf)
    .filter((row) => isListed(row, filter));
  const sign = dir === 'asc' ? 1 : -1;
  const sorted = rows.toSorted((a, b) => {
    if (a[sort] !== b[sort]) return a[sort] < b[sort] ? -sign : sign;
    return a.entity_id < b.entity_id ? -1 : 1;
  });
  return { items: sorted.slice(offset, offset + limit), total: rows.length };
};

/** Placeholder: what the owner has to decide. */
export const decisionsOf = ({
  issues,
  ignored,
}: Learned): {
  readonly dashboard_issue_count: number;
  readonly blocking_issue_count: number;
  readonly ignored_issue_count: number;
  readonly dynamic_expressions: number;
} => {
  const open = issues.filter(({ fingerprint }) => !ignored.includes(fingerprint));
  return {
    dashboard_issue_count: open.length,
    blocking_issue_count: open.filter(({ blocks }) => blocks).length,
    ignored_issue_count: issues.length - open.length,
    dynamic_expressions: issues.filter(({ kind }) => kind === 'template').length,
  };
};
