import type { EntityList, SyncDocument } from '#machines/entity-filter/documents.ts';
import { t } from '../strings/t.ts';
import { EntityRow } from './entity-row.tsx';

/** The filters of the list. */
export const listFilters = ['all', 'subscribed', 'candidate', 'review', 'excluded', 'missing'] as const;
export type ListFilter = (typeof listFilters)[number];

/** The number of listed entities; if none, why and what helps. */
export function countWords(total: number, q: string, filter: ListFilter): string {
  if (total > 0) return t('entities.shown', { count: total });
  const word = q.trim();
  if (word === '') return t(`entities.empty.${filter}`);
  return t(filter === 'all' ? 'entities.match_none' : 'entities.match_none_of', { q: word });
}

/** A note on the entities not listed, because the dashboard does not use them. */
export const onlyWords = ({ total_count: total, active_count: count }: SyncDocument): string =>
  total === null || count === null || total < count
    ? t('entities.only')
    : t('entities.only_of', { total, count: total - count });

/** The list, and the position of this page in it. */
export interface EntitiesListProps {
  readonly dashboard: string;
  readonly sync: SyncDocument;
  readonly list: EntityList;
  readonly q: string;
  readonly filter: ListFilter;
}

const Tools = ({ dashboard, q, filter }: EntitiesListProps) => (
  <form class="entity-tools" method="get" action="/entities" data-entities-form="search">
    <input type="hidden" name="dashboard" value={dashboard} />
    <label class="entity-tool">
      <span class="label">{t('entities.search')}</span>
      <input class="input" type="search" name="q" value={q} maxlength={100} autocomplete="off" />
    </label>
    <label class="entity-tool">
      <span class="label">{t('entities.filter')}</span>
      <select class="input" name="filter">
        {listFilters.map((one) => (
          <option key={one} value={one} selected={one === filter}>
            {t(`entities.filter.${one}`)}
          </option>
        ))}
      </select>
    </label>
    <button type="submit" class="button" data-search>
      {t('entities.show')}
    </button>
  </form>
);

function Paging({ dashboard, q, filter, list }: EntitiesListProps) {
  const page = Math.floor(list.offset / list.limit) + 1;
  const pages = Math.max(1, Math.ceil(list.total / list.limit));
  if (pages === 1) return null;
  const to = (number: number): string =>
    `/entities?${new URLSearchParams({ dashboard, q, filter, page: String(number) }).toString()}`;
  return (
    <nav class="entity-paging" aria-label={t('entities.paging')} data-paging>
      {page > 1 ? (
        <a class="button" rel="prev" href={to(page - 1)}>
          {t('entities.previous')}
        </a>
      ) : null}
      <span>{t('entities.page', { page, pages })}</span>
      {page < pages ? (
        <a class="button" rel="next" href={to(page + 1)}>
          {t('entities.next')}
        </a>
      ) : null}
    </nav>
  );
}

/** The entities of a dashboard: one page to read, which scripts replace with the full list to choose from. */
export const EntitiesList = (props: EntitiesListProps) => (
  <section class="card entity-card" aria-labelledby="entities-list-title">
    <h2 id="entities-list-title">{t('entities.list', { name: props.sync.title ?? props.dashboard })}</h2>
    <Tools {...props} />
    <div class="entity-count">
      <div>
        <p role="status" data-count>
          {countWords(props.list.total, props.q, props.filter)}
        </p>
        <p class="hint" data-only>
          {onlyWords(props.sync)}
        </p>
      </div>
      <button type="button" class="button quiet" data-entities="all" hidden>
        {t('entities.pick_all')}
      </button>
    </div>
    <ol class="entity-list" data-rows>
      {props.list.items.map((row) => (
        <EntityRow key={row.entity_id} row={row} />
      ))}
    </ol>
    <Paging {...props} />
    <div class="entity-bar" role="group" aria-label={t('entities.bar')} data-bar hidden>
      <span class="hint" data-why hidden></span>
      <span role="status" data-picked></span>
      <button type="button" class="button" data-override="pinned">
        {t('entities.decide.pinned')}
      </button>
      <button type="button" class="button" data-override="forced_exclude">
        {t('entities.decide.forced_exclude')}
      </button>
      <button type="button" class="button" data-override="auto">
        {t('entities.decide.auto')}
      </button>
    </div>
  </section>
);
