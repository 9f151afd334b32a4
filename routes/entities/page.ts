import { catalogueOf } from '#machines/entity-filter/catalogue.ts';
import { filterOf, issuesOf, learnedIn, syncOf } from '#machines/entity-filter/view.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import type { Refusal } from '#routes/kit/problem.ts';
import { listFilters } from '#ui/parts/entities-list.tsx';
import type { EntitiesPageProps } from '#ui/pages/entities-page.tsx';
import { chosenDashboard, readFilter } from './requests.ts';
import { usualRows } from './bodies.ts';

/** Longest search text, in characters. */
const searchLength = 100;

type Props = Omit<EntitiesPageProps, 'status'>;

/** What the page is drawn from; a useless query shows the first entities of the home dashboard. */
export function entitiesPageOf(
  deps: RouteDeps,
  query: URLSearchParams,
): { readonly ok: true; readonly props: Props } | Refusal<'restarting'> {
  const read = readFilter(deps);
  if (!read.ok) return read;
  const { context } = read;
  const home = context.home ?? context.dashboard;
  const named = chosenDashboard(context, query.get('dashboard') ?? home ?? undefined);
  const dashboard = named.ok ? named.dashboard : home;
  const learned = learnedIn(context, dashboard);
  const q = (query.get('q') ?? '').slice(0, searchLength);
  const filter = listFilters.find((one) => one === query.get('filter')) ?? 'all';
  const page = Math.max(1, Math.min(1000, Math.trunc(Number(query.get('page') ?? 1)) || 1));
  const asked = { filter, sort: 'name', dir: 'asc', limit: usualRows, offset: (page - 1) * usualRows } as const;
  const listed: Props['listed'] =
    learned === undefined || learned.scannedAt === null
      ? null
      : {
          dashboard: learned.dashboard,
          q,
          filter,
          list: {
            ...catalogueOf(learned, { ...asked, q: q.trim().toLowerCase() }),
            limit: asked.limit,
            offset: asked.offset,
          },
        };
  return {
    ok: true,
    props: { filter: filterOf(context, null), sync: syncOf(context, dashboard), issues: issuesOf(learned), listed },
  };
}
