import type { EntityFilterContext } from '#machines/entity-filter/events.ts';
import type { Override } from '#machines/entity-filter/persisted.ts';
import { issuesOf, learnedIn, syncOf } from '#machines/entity-filter/view.ts';
import { FilterChanged, IssueList, SyncDocument } from '#machines/entity-filter/documents.ts';
import { once } from '#machines/kit/once.ts';
import { refuse } from '#machines/kit/result.ts';
import { json } from '#routes/kit/answer.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import type { Family } from '#routes/kit/family.ts';
import { type Refusal, restarting } from '#routes/kit/problem.ts';
import { requestFilter, changeProblems, type ChangeProblem, chosenDashboard, readFilter } from './requests.ts';
import {
  ActivateBody,
  bodyBytes,
  IssueBody,
  OverrideBody,
  OverridesBody,
  PolicyBody,
  ResetBody,
  SyncBody,
} from './bodies.ts';

const notReady = refuse('not-ready', 'Nothing was learned of any dashboard yet. Turn the filter on and show one.');

/** The named dashboard, or the one that is shown; a refusal if there is none. */
function dashboardFor(
  context: EntityFilterContext,
  named: string | undefined,
): { readonly ok: true; readonly dashboard: string } | Refusal<'unknown-dashboard' | 'not-ready'> {
  const chosen = chosenDashboard(context, named);
  if (!chosen.ok) return chosen;
  return chosen.dashboard === null ? notReady : { ok: true, dashboard: chosen.dashboard };
}

type Done = { readonly ok: true; readonly changed: FilterChanged } | Refusal<ChangeProblem>;

/** What a dashboard, or the one that is shown, receives after a change. */
function afterChange(deps: RouteDeps, named: string | undefined): Done {
  const after = readFilter(deps);
  if (!after.ok) return after;
  const { dashboard, active_count, learned_count } = syncOf(after.context, named ?? after.context.dashboard);
  return { ok: true, changed: { ok: true, dashboard, active_count, learned_count } };
}

/** Decides about entities of a dashboard. */
async function decide(
  deps: RouteDeps,
  entityIds: readonly string[] | 'candidates',
  { override, force, dashboard: named }: { override: Override; force: boolean; dashboard?: string | undefined },
): Promise<Done> {
  const before = readFilter(deps);
  if (!before.ok) return before;
  const of = dashboardFor(before.context, named);
  if (!of.ok) return of;
  const { dashboard } = of;
  const changed = await requestFilter(deps, { type: 'entity-filter.override', dashboard, entityIds, override, force });
  return changed.ok ? afterChange(deps, dashboard) : changed;
}

/** Changes what dashboards receive. */
export const entityChanges: Family = ({ declare, deps }) => {
  const at = '/api/v1/dashboard/entities';
  const common = { method: 'post', tag: 'dashboard', guard: 'write', protects: null, maxBodyBytes: bodyBytes } as const;
  const kept = once(() => ({ 200: json('What it receives now.', FilterChanged()) }));
  const refusal = { code: 'invalid-body' } as const;
  declare(
    {
      ...common,
      operationId: 'syncEntities',
      path: `${at}/sync`,
      maxBodyBytes: 4096,
      summary: 'Read the dashboard again',
      description:
        'Starts a scan of the dashboard, by default the one that is shown; its progress is at the same path.',
      body: () => ({ description: 'Which dashboard.', schema: SyncBody(), refusal, example: {} }),
      answers: () => ({ 202: json('Its state now.', SyncDocument()) }),
      problems: ['not-ready', 'filter-busy', 'unknown-dashboard', 'restarting'],
    },
    ({ body, answer }) => {
      const before = readFilter(deps);
      if (!before.ok) return before;
      const { noFilter, learning, scan } = before.context;
      if (noFilter !== null || !learning)
        return refuse('not-ready', 'The panel is not learning now. The page Entities says why.');
      if (scan !== null) return refuse('filter-busy', 'A dashboard is already being read. Wait until it is done.');
      const chosen = chosenDashboard(before.context, body.dashboard);
      if (!chosen.ok) return chosen;
      const { dashboard } = chosen;
      if (deps.registry.tell('entity-filter', { type: 'entity-filter.sync', dashboard }) === 'absent')
        return restarting('entity-filter');
      const after = readFilter(deps);
      return after.ok ? answer(202, syncOf(after.context, dashboard ?? after.context.dashboard)) : after;
    },
  );
  declare(
    {
      ...common,
      operationId: 'decideEntityIssue',
      path: `${at}/issues`,
      summary: 'Ignore an issue, or stop ignoring it',
      description: 'A dashboard whose blocking issues are all ignored is filtered once it is activated.',
      body: () => ({
        description: 'The issue and the decision.',
        schema: IssueBody(),
        refusal,
        example: { fingerprint: '830f8c0f7cb56ce9', ignored: true },
      }),
      answers: () => ({ 200: json('The issues of its dashboard now.', IssueList()) }),
      problems: changeProblems,
    },
    async ({ body: { fingerprint, ignored }, answer }) => {
      const changed = await requestFilter(deps, { type: 'entity-filter.decide', fingerprint, ignored });
      if (!changed.ok) return changed;
      const after = readFilter(deps);
      if (!after.ok) return after;
      const { dashboard, dashboards } = after.context;
      const has = dashboards.find(({ issues }) => issues.some((issue) => issue.fingerprint === fingerprint));
      return answer(200, issuesOf(has ?? learnedIn(after.context, dashboard)));
    },
  );
  declare(
    {
      ...common,
      operationId: 'activateEntities',
      path: `${at}/activate`,
      summary: 'Apply what was learned of a dashboard',
      description:
        'If the set would change, a confirmation is required; without one it is refused with `change`, the numbers before and after. If nothing would change, none is needed.',
      body: () => ({ description: 'The confirmation.', schema: ActivateBody(), refusal, example: { confirm: true } }),
      answers: kept,
      problems: changeProblems,
    },
    async ({ body: { confirm, dashboard: named }, answer }) => {
      const before = readFilter(deps);
      if (!before.ok) return before;
      const of = dashboardFor(before.context, named);
      if (!of.ok) return of;
      const { dashboard } = of;
      const { active_count: sent, learned_count: learned } = syncOf(before.context, dashboard);
      const changed = await requestFilter(deps, { type: 'entity-filter.activate', dashboard, confirm });
      if (!changed.ok)
        return changed.reason === 'confirmation_required'
          ? { ...changed, change: { before: sent, after: learned } }
          : changed;
      const after = afterChange(deps, dashboard);
      return after.ok ? answer(200, after.changed) : after;
    },
  );
  declare(
    {
      ...common,
      operationId: 'setEntityPolicy',
      path: `${at}/policy`,
      summary: 'Choose what is learned automatically',
      description: 'From the configuration of dashboards, and from what the page reads.',
      body: () => ({
        description: 'Both switches.',
        schema: PolicyBody(),
        refusal,
        example: { auto_static: true, auto_runtime: true },
      }),
      answers: kept,
      problems: changeProblems,
    },
    async ({ body: policy, answer }) => {
      const changed = await requestFilter(deps, { type: 'entity-filter.policy', policy });
      if (!changed.ok) return changed;
      const after = afterChange(deps, undefined);
      return after.ok ? answer(200, after.changed) : after;
    },
  );
  declare(
    {
      ...common,
      operationId: 'overrideEntity',
      path: `${at}/override`,
      summary: 'Decide about one entity',
      description: 'The decision survives every scan.',
      body: () => ({
        description: 'The entity and the decision.',
        schema: OverrideBody(),
        refusal,
        example: { entity_id: 'light.kitchen', override: 'pinned', force: false },
      }),
      answers: kept,
      problems: changeProblems,
    },
    async ({ body, answer }) => {
      const done = await decide(deps, [body.entity_id], body);
      return done.ok ? answer(200, done.changed) : done;
    },
  );
  declare(
    {
      ...common,
      operationId: 'overrideEntities',
      path: `${at}/overrides`,
      summary: 'Decide about several entities',
      description: 'The same for a list of ids, or for all that are not in the set; all or nothing.',
      body: () => ({
        description: 'The entities and the decision.',
        schema: OverridesBody(),
        form: null,
        refusal,
        example: { entity_ids: ['light.kitchen', 'light.hall'], override: 'forced_exclude', force: false },
      }),
      answers: kept,
      problems: changeProblems,
    },
    async ({ body, answer }) => {
      const done = await decide(deps, body.entity_ids ?? 'candidates', body);
      return done.ok ? answer(200, done.changed) : done;
    },
  );
  declare(
    {
      ...common,
      operationId: 'resetEntities',
      path: `${at}/reset`,
      summary: 'Forget what was learned and decided',
      description: 'For all dashboards of this account. What they receive now stays, unless `clear_filter` is set.',
      body: () => ({
        description: 'The confirmation.',
        schema: ResetBody(),
        refusal,
        example: { confirm: true, clear_filter: false },
      }),
      answers: kept,
      problems: changeProblems,
    },
    async ({ body: { confirm, clear_filter: clearFilter }, answer }) => {
      const changed = await requestFilter(deps, { type: 'entity-filter.reset', confirm, clearFilter });
      if (!changed.ok) return changed;
      const after = afterChange(deps, undefined);
      return after.ok ? answer(200, after.changed) : after;
    },
  );
};
