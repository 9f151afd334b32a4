import type { StatusDocument } from '#machines/status.ts';
import { t } from '../strings/t.ts';
import type { TitledCard } from './card.ts';
import { Moment } from './moment.tsx';

/** Entries of the history as they are drawn. */
export type Happenings = StatusDocument['happened'];

/** Entries of the history, in the order they come in. */
export const HappenedList = ({ entries, now }: { readonly entries: Happenings; readonly now: number }) =>
  entries.length === 0 ? (
    <p class="hint">{t('history.empty')}</p>
  ) : (
    <ul>
      {entries.map((entry) => (
        <li key={`${entry.at}-${entry.sentence}`} class="happening">
          <span>
            {entry.sentence}
            {entry.times === 1 ? null : (
              <span class="part-count">{` ${t('history.times', { count: entry.times })}`}</span>
            )}
          </span>
          <Moment at={entry.at} now={now} />
        </li>
      ))}
    </ul>
  );

/** What happened lately, the newest first. */
export const Happened = ({ status, now }: { readonly status: StatusDocument; readonly now: number }) => (
  <HappenedList entries={status.happened} now={now} />
);

/** The card of what happened lately. */
export const happenedCard = {
  name: 'happened',
  title: 'page.history',
  beside: () => <a href="/history">{t('history.all')}</a>,
  strings: [],
  draw: Happened,
} as const satisfies TitledCard;
