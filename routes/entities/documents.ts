import { catalogueOf } from '#machines/entity-filter/catalogue.ts';
import type { SampleOutcome } from '#machines/home-assistant/events.ts';
import { issuesOf, learnedIn, sentTo, syncOf } from '#machines/entity-filter/view.ts';
import { EntityList, IssueList, SyncDocument } from '#machines/entity-filter/documents.ts';
import { json } from '#routes/kit/answer.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import type { Family } from '#routes/kit/family.ts';
import { refuse } from '#machines/kit/result.ts';
import { type Refusal, restarting } from '#routes/kit/problem.ts';
import { chosenDashboard, readFilter } from './requests.ts';
import { DashboardQuery, EntitiesQuery, TrafficQuery } from './bodies.ts';
import { catalogOf, EntityCatalog, Traffic } from './shapes.ts';

/** How long a sample may take beyond its counting time, in milliseconds: to connect and to subscribe. */
const beyondMs = 15_000;

const sampleWords = {
  'signed-out': 'No one is signed in to Home Assistant. Sign in first.',
  unreachable: 'Home Assistant did not answer. Try again later.',
  busy: 'Something else is being counted. Try again in a minute.',
} as const;

type Sample = Extract<SampleOutcome, { readonly ok: true }>;

const counted = ({ sample: { frames, bytes } }: Sample): { readonly frames: number; readonly bytes: number } => ({
  frames,
  bytes,
});

/** Counts what Home Assistant sends of these entities, or of all. */
async function sample(
  deps: RouteDeps,
  entityIds: readonly string[] | null,
  ms: number,
): Promise<Sample | Refusal<'traffic-unavailable' | 'restarting'>> {
  // Without an address no one is signed in.
  if (deps.registry.off('home-assistant') !== undefined)
    return refuse('traffic-unavailable', sampleWords['signed-out']);
  const asked = await deps.registry.ask(
    'home-assistant',
    { type: 'home-assistant.sample', entityIds, ms },
    ms + beyondMs,
  );
  if (!asked.ok)
    return asked.reason === 'timeout'
      ? refuse('traffic-unavailable', sampleWords.unreachable)
      : restarting('home-assistant');
  return asked.value.ok ? asked.value : refuse('traffic-unavailable', sampleWords[asked.value.reason]);
}

/** What is known of a dashboard's entities. */
export const entityDocuments: Family = ({ declare, deps }) => {
  const common = { method: 'get', tag: 'dashboard', guard: 'ordinary', protects: null, maxBodyBytes: 0 } as const;
  declare(
    {
      ...common,
      operationId: 'getDashboardEntities',
      path: '/api/v1/dashboard/entities',
      summary: 'The entities of a dashboard',
      description: 'Each with the reasons why it belongs to the set, and your decision.',
      query: EntitiesQuery,
      answers: () => ({ 200: json('The selected rows.', EntityList()) }),
      problems: ['unknown-dashboard', 'restarting'],
    },
    ({ query, answer }) => {
      const filter = readFilter(deps);
      if (!filter.ok) return filter;
      const { dashboard, limit, offset, ...asked } = query;
      const chosen = chosenDashboard(filter.context, dashboard);
      if (!chosen.ok) return chosen;
      const learned = learnedIn(filter.context, chosen.dashboard);
      const which = asked.filter === 'active' ? 'subscribed' : asked.filter;
      const found =
        learned === undefined
          ? { items: [], total: 0 }
          : catalogueOf(learned, { ...asked, filter: which, q: asked.q.trim().toLowerCase(), limit, offset });
      return answer(200, { ...found, limit, offset });
    },
  );
  declare(
    {
      ...common,
      operationId: 'getEntitySync',
      path: '/api/v1/dashboard/entities/sync',
      summary: 'How a dashboard is filtered and what is known of it',
      description: 'Counts, the running scan, what waits for you, and every dashboard that was read.',
      query: DashboardQuery,
      answers: () => ({ 200: json('Its state.', SyncDocument()) }),
      problems: ['unknown-dashboard', 'restarting'],
    },
    ({ query, answer }) => {
      const filter = readFilter(deps);
      if (!filter.ok) return filter;
      const chosen = chosenDashboard(filter.context, query.dashboard);
      return chosen.ok ? answer(200, syncOf(filter.context, chosen.dashboard)) : chosen;
    },
  );
  declare(
    {
      ...common,
      operationId: 'getEntityIssues',
      path: '/api/v1/dashboard/entities/issues',
      summary: 'What there is to decide',
      description:
        'What prevents a dashboard from being filtered, and what you should know about it, each with its place.',
      query: DashboardQuery,
      answers: () => ({ 200: json('The issues.', IssueList()) }),
      problems: ['unknown-dashboard', 'restarting'],
    },
    ({ query, answer }) => {
      const filter = readFilter(deps);
      if (!filter.ok) return filter;
      const chosen = chosenDashboard(filter.context, query.dashboard);
      return chosen.ok ? answer(200, issuesOf(learnedIn(filter.context, chosen.dashboard))) : chosen;
    },
  );
  declare(
    {
      ...common,
      operationId: 'exportEntities',
      path: '/api/v1/dashboard/entities/export',
      summary: 'What was learned and decided, as a file',
      description: 'Every dashboard of this account; neither the server nor the account is named.',
      answers: () => ({
        200: json('The file.', EntityCatalog(), {
          headers: { 'Content-Disposition': 'An attachment with the name of the file.' },
        }),
      }),
      problems: ['restarting'],
    },
    ({ answer }) => {
      const filter = readFilter(deps);
      if (!filter.ok) return filter;
      return answer(200, catalogOf(filter.context), {
        'Content-Disposition': 'attachment; filename="sconce-entities.json"',
      });
    },
  );
  declare(
    {
      ...common,
      operationId: 'getEntityTraffic',
      path: '/api/v1/dashboard/entities/traffic',
      guard: 'active',
      summary: 'What the filter saves',
      description:
        'Counts for that time what Home Assistant sends for all entities, and then as long for those of the dashboard.',
      query: TrafficQuery,
      answers: () => ({ 200: json('Both counts.', Traffic()) }),
      problems: ['unknown-dashboard', 'traffic-unavailable', 'restarting'],
    },
    async ({ query, answer }) => {
      const filter = readFilter(deps);
      if (!filter.ok) return filter;
      const chosen = chosenDashboard(filter.context, query.dashboard);
      if (!chosen.ok) return chosen;
      const ids = sentTo(filter.context, chosen.dashboard);
      const ms = query.seconds * 1000;
      // One after the other: Home Assistant's connection counts one thing at a time.
      const all = await sample(deps, null, ms);
      if (!all.ok) return all;
      const filtered = ids === null ? null : await sample(deps, ids, ms);
      if (filtered?.ok === false) return filtered;
      return answer(200, {
        seconds: query.seconds,
        all: counted(all),
        filtered: filtered === null ? null : counted(filtered),
      });
    },
  );
};
