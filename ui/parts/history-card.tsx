import type { StatusDocument } from '#machines/status.ts';
import { t } from '../strings/t.ts';
import type { BareCard, CardProps } from './card.ts';
import { Moment } from './moment.tsx';

const reads = ['happened'] as const;

/** Entries of the history as they are drawn. */
type RecentEvents = StatusDocument['happened'];

/** Entries of the history, in the given order. */
const HistoryEntryList = ({ entries, now }: { readonly entries: RecentEvents; readonly now: number }) =>
  entries.length === 0 ? (
    <p class="hint">{t('history.empty')}</p>
  ) : (
    <ul>
      {entries.map((entry) => (
        <li key={`${entry.at}-${entry.sentence}`} class="happening">
          <span>
            {entry.sentence}
            {entry.times === 1 ? null : <span class="hint">{` ${t('history.times', { count: entry.times })}`}</span>}
          </span>
          <Moment at={entry.at} now={now} />
        </li>
      ))}
    </ul>
  );

/** Recent history, newest first: the latest sentence, which opens to the rest. */
const RecentHistory = ({ status, now }: CardProps<typeof reads>) => (
  <details class="fold" id="happened">
    <summary>
      <span class="fold-title">
        {t('history.title')}
        <span class="fold-hint">{status.happened[0]?.sentence ?? ''}</span>
      </span>
    </summary>
    <div class="fold-body">
      <HistoryEntryList entries={status.happened} now={now} />
      <p class="hint">
        <a href="/history">{t('history.all')}</a>
      </p>
    </div>
  </details>
);

export const historyCard = {
  name: 'happened',
  reads,
  place: 'folds',
  draw: RecentHistory,
} as const satisfies BareCard<typeof reads>;
