import { decisionsOf } from './catalogue.ts';
import type { EntityFilterContext, Showing } from './events.ts';
import type { Learned } from './persisted.ts';
import { showingOf } from './facts.ts';
import { setOf, wantedOf } from './sets.ts';
import { inPageOrder, titleOf } from './titles.ts';
import type { FilterDocument, IssueList, SyncDocument } from './documents.ts';

export const learnedIn = ({ dashboards }: EntityFilterContext, dashboard: string | null): Learned | undefined =>
  dashboards.find((one) => one.dashboard === dashboard);

export const sentTo = ({ sets }: EntityFilterContext, dashboard: string | null): readonly string[] | null =>
  setOf(sets, dashboard);

/** Number of these ids that Home Assistant had at the newest scan; null for all. */
function countOf(ids: readonly string[] | null, learned: Learned | undefined): number | null {
  if (ids === null) return null;
  const missing = new Set(learned?.members.flatMap(({ entityId, exists }) => (exists ? [] : [entityId])));
  return ids.filter((id) => !missing.has(id)).length;
}

/** Number of these ids that Home Assistant does not have; null for all. */
const missingOf = (ids: readonly string[] | null, learned: Learned | undefined): number | null =>
  ids === null ? null : ids.length - (countOf(ids, learned) ?? 0);

const none = { dashboard_issue_count: 0, blocking_issue_count: 0, ignored_issue_count: 0, dynamic_expressions: 0 };

const countsOf = (learned: Learned | undefined): typeof none => (learned === undefined ? none : decisionsOf(learned));

/** How a dashboard is shown; only for the one on the screen is it known if its subscription could be filtered. */
const shownAs = (context: EntityFilterContext, dashboard: string | null): Showing =>
  dashboard === context.dashboard ? context.showing : showingOf(context, dashboard);

type HoldReason = SyncDocument['hold_reason'];

/** What the set of a dashboard waits for; null if nothing. */
function holdReasonOf(context: EntityFilterContext, dashboard: string | null): HoldReason {
  if (context.noFilter === 'signed-out') return 'authentication';
  if (context.noFilter !== null || !context.learning) return null;
  const showing = shownAs(context, dashboard);
  if (showing === 'unbounded' && countsOf(learnedIn(context, dashboard)).blocking_issue_count > 0) return 'decision';
  if (showing !== 'not-scanned' && context.holdSince === null) return null;
  if (context.scanFailure === 'signed-out') return 'authentication';
  return context.scanFailure === null ? 'synchronizing' : 'synchronization';
}

export function syncOf(context: EntityFilterContext, dashboard: string | null): SyncDocument {
  const learned = learnedIn(context, dashboard);
  const { dynamic_expressions: _, ...counts } = countsOf(learned);
  const hold = holdReasonOf(context, dashboard);
  return {
    dashboard,
    title: dashboard === null ? null : titleOf(context.titles, dashboard),
    showing: shownAs(context, dashboard),
    no_filter: context.noFilter,
    learning: context.learning,
    total_count: learned?.existing ?? null,
    active_count: countOf(sentTo(context, dashboard), learned),
    missing_count: missingOf(sentTo(context, dashboard), learned),
    learned_count: learned === undefined ? 0 : (countOf(wantedOf(learned), learned) ?? 0),
    scanned_at: learned?.scannedAt ?? null,
    scan:
      context.scan === null
        ? null
        : { step: context.scan.step, entities: context.scan.entities, since: context.scan.since },
    scan_failure: context.scanFailure,
    ...counts,
    automatic_activation_blocked: counts.blocking_issue_count > 0,
    hold_reason: hold,
    resync_suspended: hold === 'decision' && context.scan === null,
    strategy_selector_ignored:
      learned?.issues.some(({ kind, fingerprint }) => kind === 'strategy' && learned.ignored.includes(fingerprint)) ??
      false,
    fault: context.fault,
    dashboards: inPageOrder(context, context.dashboards).map((one) => ({
      dashboard: one.dashboard,
      title: titleOf(context.titles, one.dashboard),
      is_home: one.dashboard === context.home,
      active_count: countOf(sentTo(context, one.dashboard), one),
      scanned_at: one.scannedAt,
      blocking_issue_count: decisionsOf(one).blocking_issue_count,
    })),
  };
}

/** `hash`: of the ids that the dashboard on the screen receives. */
export function filterOf(context: EntityFilterContext, hash: string | null): FilterDocument {
  const { modifiedSubscriptions, failures, directFallbacks, entities } = context.runtime;
  const sent = sentTo(context, context.dashboard);
  return {
    enabled: sent !== null,
    mode: context.manual.enabled && !context.learning ? 'manual' : 'automatic',
    entity_count: sent?.length ?? 0,
    filter_hash: hash,
    no_filter: context.noFilter,
    runtime: {
      active: entities !== null && sent !== null,
      mode: 'native_socket',
      modifiedSubscriptions,
      failures,
      directFallbacks,
    },
    learning: { enabled: context.learning, ...context.policy },
  };
}

/** Issues of a dashboard: blocking ones first, ignored ones last. */
export function issuesOf(learned: Learned | undefined): IssueList {
  const items = (learned?.issues ?? []).map(({ fingerprint, kind, blocks, place, subject }) => ({
    fingerprint,
    kind,
    blocks,
    ignored: learned?.ignored.includes(fingerprint) ?? false,
    view: place.view,
    card: place.card,
    subject,
  }));
  const rank = ({ blocks, ignored }: { readonly blocks: boolean; readonly ignored: boolean }): number =>
    (ignored ? 2 : 0) + (blocks ? 0 : 1);
  return { items: items.toSorted((a, b) => rank(a) - rank(b)), ...countsOf(learned) };
}

/** Progress of the scan for which the home dashboard is held back; null while it is not. */
export const preparingOf = ({
  holdSince,
  scan,
  scanFailure,
}: EntityFilterContext): { readonly step: 1 | 2; readonly entities: number; readonly failed: boolean } | null =>
  holdSince === null
    ? null
    : { step: scan?.step ?? 1, entities: scan?.entities ?? 0, failed: scan === null && scanFailure !== null };
