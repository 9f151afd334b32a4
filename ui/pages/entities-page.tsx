import type { StatusDocument } from '#machines/status.ts';
import { EntitiesList, type EntitiesListProps } from '../parts/entities-list.tsx';
import { EntitiesView, type EntitiesViewProps } from '../parts/entities-view.tsx';
import { Learning } from '../parts/entities-learning.tsx';
import { withoutDashboard } from '../parts/entities-words.ts';
import { Question } from '../parts/question.tsx';
import { Shell } from '../parts/shell.tsx';
import { t } from '../strings/t.ts';

export interface EntitiesPageProps extends Pick<EntitiesViewProps, 'filter' | 'sync' | 'issues'> {
  readonly status: StatusDocument;
  /** Null if nothing has been read of the dashboard. */
  readonly listed: Omit<EntitiesListProps, 'sync'> | null;
}

/** `/entities`: which entities the dashboard gets and why, open decisions, and all its entities. */
export function EntitiesPage({ status, filter, sync, issues, listed }: EntitiesPageProps) {
  const without = withoutDashboard(status);
  return (
    <Shell status={status} page="entities">
      <sconce-entities data-dashboard={sync.dashboard ?? ''} data-without={without ?? undefined}>
        <div data-view>
          <EntitiesView
            filter={filter}
            sync={sync}
            issues={issues}
            now={status.taken_at}
            live={false}
            measured={null}
            without={without}
          />
        </div>
        <details class="card fold entity-fold" hidden={sync.no_filter === 'no-renderer'}>
          <summary>
            <h2 class="fold-title">{t('entities.learning')}</h2>
          </summary>
          <div class="fold-body" data-learning>
            <Learning filter={filter} live={false} />
          </div>
        </details>
        {listed === null ? null : <EntitiesList {...listed} sync={sync} />}
      </sconce-entities>
      <Question id="entities-question" />
    </Shell>
  );
}
