import type { FilterOutcome } from './events.ts';
import { inOrder, type Issue, type PersistedState, type Learned, MOST_IDS } from './persisted.ts';
import { type Change, type FilterFacts, learnedOf, settled, withAccount } from './facts.ts';
import { queueKnown } from './learning.ts';
import { needsConfirmation, withActivation, withDecision, withOverride } from './members.ts';
import { membersIn, replaced } from './sets.ts';

export type Refusal = Extract<FilterOutcome, { readonly ok: false }>;
/** The document after a change, or the refusal. */
export type Changed = { readonly ok: true; readonly persisted: PersistedState } | Refusal;

const refused = (reason: Refusal['reason'], message: string): Refusal => ({ ok: false, reason, message });

const noAccount = refused('not-ready', 'The account is not known yet: sign in, then scan a dashboard.');

const notLearned = refused('not-ready', 'Nothing was learned about this dashboard yet: scan it first.');

/** Changes one dashboard of this account. */
function inDashboard(
  { persisted, account, dashboards }: FilterFacts,
  dashboard: string,
  change: (learned: Learned) => Learned | Refusal,
): Changed {
  const learned = learnedOf(dashboards, dashboard);
  if (persisted === null || account === null || learned.scannedAt === null) return notLearned;
  const after = change(learned);
  if ('ok' in after) return after;
  const others = dashboards.filter((one) => one.dashboard !== dashboard);
  if (after.members.length > learned.members.length && membersIn([after, ...others]) > MOST_IDS)
    return refused('too-many', `At most ${MOST_IDS} entities fit in all dashboards together.`);
  return {
    ok: true,
    persisted: withAccount(persisted, account, (before) => ({ dashboards: replaced(before.dashboards, after) })),
  };
}

/** Finds an issue and its dashboard by fingerprint. */
function issueWith({ dashboards }: FilterFacts, fingerprint: string): readonly [Learned, Issue] | null {
  for (const learned of dashboards) {
    const issue = learned.issues.find((one) => one.fingerprint === fingerprint);
    if (issue) return [learned, issue];
  }
  return null;
}

/** Applies a change to the document. */
export function changed(facts: FilterFacts, change: Change): Changed {
  const { persisted, account } = facts;
  if (persisted === null) return notLearned;
  switch (change.type) {
    case 'entity-filter.policy':
      return { ok: true, persisted: { ...persisted, policy: change.policy } };
    case 'entity-filter.manual': {
      const ids = inOrder(change.manual.ids);
      if (ids.length > MOST_IDS) return refused('too-many', `At most ${MOST_IDS} entities fit.`);
      return { ok: true, persisted: { ...persisted, manual: { ...change.manual, ids } } };
    }
    case 'entity-filter.override':
      return inDashboard(facts, change.dashboard, (learned) => {
        const made = withOverride(learned, change.entityIds, change.override, change.force);
        return made.ok ? made.learned : made;
      });
    case 'entity-filter.decide': {
      const found = issueWith(facts, change.fingerprint);
      if (found === null) return refused('unknown-issue', 'No issue has this fingerprint now. Read the issues again.');
      const [{ dashboard }, issue] = found;
      // What was found is incomplete: with it alone the dashboard would lack the rest.
      if (change.ignored && issue.kind === 'too-large')
        return refused('not-ready', 'There is more than the panel can examine: this cannot be ignored.');
      return inDashboard(facts, dashboard, (learned) => withDecision(learned, change.fingerprint, change.ignored));
    }
    case 'entity-filter.activate':
      return inDashboard(facts, change.dashboard, (learned) =>
        needsConfirmation(learned) && !change.confirm
          ? refused('confirm', 'This changes what the dashboard receives: repeat the request with `confirm`.')
          : withActivation(learned),
      );
    case 'entity-filter.reset':
      if (!change.confirm)
        return refused('confirm', 'This deletes everything that was learned: repeat the request with `confirm`.');
      // Without a known account, nothing is deleted.
      if (account === null) return noAccount;
      return {
        ok: true,
        persisted: withAccount(persisted, account, ({ dashboards }) => ({
          dashboards: dashboards.flatMap(({ dashboard, active }) =>
            change.clearFilter || active === null ? [] : [{ ...learnedOf([], dashboard), active }],
          ),
        })),
      };
  }
}

/** Why a change is refused; null if it is not. */
export function refusalOf(facts: FilterFacts, change: Change): Refusal | null {
  const made = changed(facts, change);
  return made.ok ? null : made;
}

/** The document with the pending change, if any. */
export function persistedWith(facts: FilterFacts): PersistedState | null {
  if (facts.saving === null) return facts.persisted;
  const made = changed(facts, facts.saving);
  return made.ok ? made.persisted : facts.persisted;
}

/** Applies the saved change. What was deleted, or what the new policy affects, is scanned again. */
export function makeChange(facts: FilterFacts): FilterFacts {
  const made = { persisted: persistedWith(facts), saving: null, fault: null };
  switch (facts.saving?.type) {
    case 'entity-filter.reset':
      return settled(facts, { ...made, begun: [], queue: [] });
    case 'entity-filter.policy':
      return queueKnown(settled(facts, made));
    default:
      return settled(facts, made);
  }
}

const changes = [
  'entity-filter.policy',
  'entity-filter.override',
  'entity-filter.decide',
  'entity-filter.activate',
  'entity-filter.reset',
  'entity-filter.manual',
] as const;

/** The same transition for every event that changes the filter. */
export function forChanges<T>(transition: T): Readonly<Record<(typeof changes)[number], T>> {
  const entries = changes.map((type) => [type, transition] as const);
  // The keys are exactly those of `changes`.
  return Object.fromEntries(entries) as Record<(typeof changes)[number], T>;
}
