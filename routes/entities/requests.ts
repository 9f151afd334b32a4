import type { AskEventOf, AskTypeOf } from '#machines/kit/actor.ts';
import { refuse } from '#machines/kit/result.ts';
import type { EntityFilterActor, EntityFilterContext, FilterOutcome } from '#machines/entity-filter/events.ts';
import type { RequestedFrom } from '#machines/kit/requested-from.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import { operationBusy } from '#routes/kit/operation-busy.ts';
import { type Refusal, restarting } from '#routes/kit/problem.ts';

/** How long a change may take before the caller is asked to read again, in milliseconds. */
const changeMs = 10_000;

/** The codes that refuse a change of the filter, beside an invalid body. */
export const changeProblems = [
  'confirmation_required',
  'not-ready',
  'filter-busy',
  'unknown-entity',
  'unknown-issue',
  'unknown-dashboard',
  'too-many-entities',
  'filter-not-saved',
  'operation-busy',
  'commit-failed',
  'save-unknown',
  'restarting',
] as const;
export type ChangeProblem = (typeof changeProblems)[number];

const codes = {
  'not-ready': 'not-ready',
  busy: 'filter-busy',
  unknown: 'unknown-entity',
  'unknown-issue': 'unknown-issue',
  confirm: 'confirmation_required',
  'too-many': 'too-many-entities',
  'not-saved': 'filter-not-saved',
} as const satisfies Readonly<Record<Exclude<FilterOutcome, { ok: true }>['reason'], ChangeProblem>>;

const late = refuse('save-unknown', 'The save is taking long: it may still have happened. Read again to find out.');

/** Public facts of the filter; a refusal while its part restarts. */
export function readFilter(
  deps: RouteDeps,
): { readonly ok: true; readonly context: EntityFilterContext } | Refusal<'restarting'> {
  const context = deps.registry.read('entity-filter')?.context;
  return context === undefined ? restarting('entity-filter') : { ok: true, context };
}

/** The named dashboard if it is known here or is home; the one that is shown if none is named. */
export function chosenDashboard(
  { dashboard, dashboards, home }: EntityFilterContext,
  named: string | undefined,
): { readonly ok: true; readonly dashboard: string | null } | Refusal<'unknown-dashboard'> {
  if (named === undefined || named === dashboard) return { ok: true, dashboard };
  if (named === home || dashboards.some((one) => one.dashboard === named)) return { ok: true, dashboard: named };
  const message =
    'No dashboard of this name was read on this panel. Show it once, or choose one from /api/v1/dashboard/entities/sync.';
  return { ok: false, reason: 'unknown-dashboard', message, reasons: { dashboard: message } };
}

/** Requests a change of the filter; a refusal says why it was not made. */
export async function requestFilter<T extends AskTypeOf<EntityFilterActor>>(
  deps: RouteDeps,
  event: { readonly type: T } & AskEventOf<EntityFilterActor, T>,
): Promise<{ readonly ok: true } | Refusal<ChangeProblem>> {
  const asked = await deps.registry.ask('entity-filter', event, changeMs);
  if (!asked.ok) return asked.reason === 'absent' ? restarting('entity-filter') : late;
  const outcome: FilterOutcome = asked.value;
  return outcome.ok ? outcome : refuse(codes[outcome.reason], outcome.message);
}

/** Saves if the panel learns by itself; does nothing if that is already set. */
export async function saveLearning(
  deps: RouteDeps,
  { learning }: EntityFilterContext,
  wanted: boolean,
  from: RequestedFrom,
): Promise<{ readonly ok: true } | Refusal<'restarting' | 'save-unknown' | 'operation-busy' | 'commit-failed'>> {
  if (learning === wanted) return { ok: true };
  const patch = { dashboard_entity_learning: wanted };
  const asked = await deps.registry.ask('settings', { type: 'settings.merge', patch, from }, changeMs);
  if (!asked.ok) return asked.reason === 'absent' ? restarting('settings') : late;
  const { status } = asked.value;
  if (status === 'saved' || status === 'no-op') return { ok: true };
  if (status === 'busy' || status === 'stale') return operationBusy(deps);
  return refuse('commit-failed', 'Nothing was changed: the settings were not written. Free or repair the disk first.');
}
