import type { FilterPart } from '#machines/backup/parts.ts';
import { emptyState, readPersisted } from '#machines/entity-filter/document.ts';
import type { Account, Learned, Member, PersistedAccount, PersistedState } from '#machines/entity-filter/persisted.ts';
import { MOST_MISSES } from '#machines/entity-filter/members.ts';
import { withMembers } from '#machines/entity-filter/sets.ts';

import { filterIn, filterPartOf } from './archive-of.ts';
import { sameJson } from './same-json.ts';

type ArchivedAccount = FilterPart['accounts'][number];
type ArchivedDashboard = ArchivedAccount['dashboards'][number];

const unlearned = (dashboard: string): Learned => ({
  dashboard,
  scannedAt: null,
  members: [],
  issues: [],
  ignored: [],
  active: null,
});

const added = (entityId: string): Member => ({ entityId, override: 'auto', evidence: [], misses: 0, exists: true });

/**
 * A dashboard with the archived decisions. What is learned here stays; where nothing is, the archived set is in force
 * until the first scan.
 */
function dashboardAfter(before: Learned, { pinned, excluded, ignored, active }: ArchivedDashboard): Learned {
  const decided = new Map([
    ...pinned.map((id) => [id, 'pinned'] as const),
    ...excluded.map((id) => [id, 'forced_exclude'] as const),
  ]);
  const known = new Map(before.members.map((member) => [member.entityId, member]));
  const all = [...known.values(), ...[...decided.keys()].filter((id) => !known.has(id)).map(added)];
  const members = all
    .map((member): Member => ({ ...member, override: decided.get(member.entityId) ?? 'auto' }))
    // One that only the owner's decision kept goes with it.
    .filter(({ override, misses }) => override !== 'auto' || misses < MOST_MISSES);
  const after = withMembers({ ...before, ignored, active }, members);
  return before.scannedAt === null ? { ...after, active } : after;
}

function accountAfter(before: PersistedAccount | undefined, archived: ArchivedAccount): PersistedAccount {
  const { server, user, start } = archived;
  const known = before?.dashboards ?? [];
  const restored = archived.dashboards.map((one) =>
    dashboardAfter(known.find(({ dashboard }) => dashboard === one.dashboard) ?? unlearned(one.dashboard), one),
  );
  const others = known.filter(({ dashboard }) => !archived.dashboards.some((one) => one.dashboard === dashboard));
  return { server, user, start: before?.start ?? start, dashboards: [...restored, ...others] };
}

const isOf = (one: Account, other: Account): boolean => one.server === other.server && one.user === other.user;

/** True if a document has all archived decisions already; what is only here does not count. */
export function hasDecisions(stored: unknown, { policy, manual, accounts }: FilterPart): boolean {
  const state = filterIn(stored);
  if (state === null) return false;
  const now = filterPartOf(state);
  return (
    sameJson(now.policy, policy) &&
    sameJson(now.manual, manual) &&
    accounts.every((account) => {
      const known = now.accounts.find((one) => isOf(one, account))?.dashboards ?? [];
      return account.dashboards.every((archived) =>
        sameJson(
          known.find(({ dashboard }) => dashboard === archived.dashboard),
          archived,
        ),
      );
    })
  );
}

/**
 * The filter's document with the archived decisions; accounts and dashboards that are only here stay. `keep` if nothing
 * changes. The result of its own result is `keep`.
 */
export function filterAfter(stored: unknown, { policy, manual, accounts }: FilterPart): PersistedState | 'keep' {
  const before = filterIn(stored) ?? emptyState;
  const restored = accounts.map((archived) =>
    accountAfter(
      before.accounts.find((one) => isOf(one, archived)),
      archived,
    ),
  );
  const others = before.accounts.filter((one) => !accounts.some((archived) => isOf(one, archived)));
  // Read as a stored document is: sorted, and within its limits.
  const after = readPersisted({ version: 1, policy, manual, accounts: [...restored, ...others] });
  return sameJson(before, after) ? 'keep' : after;
}
