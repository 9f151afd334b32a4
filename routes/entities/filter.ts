import type { EntityFilterContext } from '#machines/entity-filter/events.ts';
import type { RequestedFrom } from '#machines/kit/requested-from.ts';
import { inOrder, type Manual } from '#machines/entity-filter/persisted.ts';
import { filterOf, sentTo } from '#machines/entity-filter/view.ts';
import { FilterDocument } from '#machines/entity-filter/documents.ts';
import { json } from '#routes/kit/answer.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import type { Family } from '#routes/kit/family.ts';
import { operationBusy } from '#routes/kit/operation-busy.ts';
import type { Refusal } from '#routes/kit/problem.ts';
import { requestedFrom } from '#routes/kit/requested-from.ts';
import {
  requestFilter,
  changeProblems,
  type ChangeProblem,
  chosenDashboard,
  readFilter,
  saveLearning,
} from './requests.ts';
import { bodyBytes, DashboardQuery, FilterBody, FilterForm } from './bodies.ts';

/** Bytes of the digest that are shown. */
const hashBytes = 8;

/** First 8 bytes of the SHA-256 of the sorted ids, one per line, in lower-case hex; null without a set. */
async function hashOf(ids: readonly string[] | null): Promise<string | null> {
  if (ids === null) return null;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(inOrder(ids).join('\n')));
  return Array.from(new Uint8Array(digest).subarray(0, hashBytes), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
}

const documentOf = async (context: EntityFilterContext): Promise<FilterDocument> =>
  filterOf(context, await hashOf(sentTo(context, context.dashboard)));

interface Wanted {
  readonly enabled?: boolean | undefined;
  readonly mode?: 'automatic' | 'manual' | undefined;
  readonly entity_ids?: readonly string[] | undefined;
}

const empty = 'There is no list yet. Send entity_ids with the ids that the dashboards should receive.';

/** Makes the requested change; the list is saved before the panel stops learning. */
async function change(
  deps: RouteDeps,
  context: EntityFilterContext,
  { enabled = true, mode, entity_ids: ids }: Wanted,
  from: RequestedFrom,
): Promise<{ readonly ok: true } | Refusal<ChangeProblem | 'invalid-body'>> {
  const running = deps.registry.read('maintenance')?.context.running ?? null;
  // Later it would be half done.
  if (running?.changes === true) return operationBusy(deps);
  const inForce = context.manual.enabled && !context.learning ? 'manual' : 'automatic';
  if ((mode ?? (ids === undefined ? inForce : 'manual')) === 'automatic') {
    const learn = () => saveLearning(deps, context, enabled, from);
    // Otherwise the owner's list would be in force again once learning ends.
    const endList = async (): Promise<{ readonly ok: true } | Refusal<ChangeProblem>> =>
      context.manual.enabled
        ? requestFilter(deps, { type: 'entity-filter.manual', manual: { ...context.manual, enabled: false } })
        : { ok: true };
    // In neither order is there a moment with a filter other than the old or the new one.
    const [first, second] = enabled ? [learn, endList] : [endList, learn];
    const begun = await first();
    return begun.ok ? second() : begun;
  }
  // Sorted here, once: the filter reads the change at each step of the save.
  const manual: Manual = { enabled, ids: ids === undefined ? context.manual.ids : inOrder(ids) };
  if (enabled && manual.ids.length === 0)
    return { ok: false, reason: 'invalid-body', message: empty, reasons: { entity_ids: empty } };
  const kept = await requestFilter(deps, { type: 'entity-filter.manual', manual });
  return kept.ok && enabled ? saveLearning(deps, context, false, from) : kept;
}

/** The filter as a whole: its state, on or off, and the owner's list. */
export const entityFilterRoutes: Family = ({ declare, deps }) => {
  const path = '/api/v1/dashboard/entity-filter';
  declare(
    {
      operationId: 'getEntityFilter',
      method: 'get',
      path,
      tag: 'dashboard',
      summary: 'How many entities the dashboard receives',
      description: 'The count and a hash of the ids, never the ids themselves.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      query: DashboardQuery,
      answers: () => ({ 200: json('The filter.', FilterDocument()) }),
      problems: ['unknown-dashboard', 'restarting'],
    },
    async ({ query, answer }) => {
      const filter = readFilter(deps);
      if (!filter.ok) return filter;
      const chosen = chosenDashboard(filter.context, query.dashboard);
      return chosen.ok ? answer(200, await documentOf({ ...filter.context, dashboard: chosen.dashboard })) : chosen;
    },
  );
  declare(
    {
      operationId: 'changeEntityFilter',
      method: 'post',
      path,
      tag: 'dashboard',
      summary: 'Turn the filter on or off, or set your own list',
      description:
        '`automatic` lets the panel learn; `manual` gives every dashboard your list, which replaces the previous one.',
      guard: 'write',
      protects: null,
      maxBodyBytes: bodyBytes,
      body: () => ({
        description: 'What to change.',
        schema: FilterBody(),
        form: FilterForm(),
        refusal: { code: 'invalid-body' },
        example: { mode: 'manual', entity_ids: ['light.kitchen'] },
      }),
      answers: () => ({ 200: json('The filter as it is now.', FilterDocument()) }),
      problems: changeProblems,
    },
    async ({ c, body, answer }) => {
      const before = readFilter(deps);
      if (!before.ok) return before;
      const changed = await change(deps, before.context, body, requestedFrom(c, deps));
      if (!changed.ok) return changed;
      const after = readFilter(deps);
      return after.ok ? answer(200, await documentOf(after.context)) : after;
    },
  );
};
