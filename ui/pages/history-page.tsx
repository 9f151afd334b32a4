import type { StatusDocument } from '#machines/status.ts';
import { HappenedList, type Happenings } from '../parts/happened.tsx';
import { Shell } from '../parts/shell.tsx';
import { t } from '../strings/t.ts';

/** `/history`: what happened, further back than the status page shows; `entries` are the newest first. */
export const HistoryPage = ({ status, entries }: { readonly status: StatusDocument; readonly entries: Happenings }) => (
  <Shell status={status} page="history" title="page.history">
    <p class="lead">{t('history.intro')}</p>
    <section class="card" aria-label={t('page.history')}>
      <HappenedList entries={entries} now={status.taken_at} />
    </section>
  </Shell>
);
