import type { StatusDocument } from '#machines/status.ts';
import type { HistoryAbout } from '#machines/kit/history-event.ts';
import { type IconName, icons } from '../icons.ts';
import type { HistoryDay } from '../parts/history-days.ts';
import { Icon } from '../parts/icon.tsx';
import { Shell } from '../parts/shell.tsx';
import { t } from '../strings/t.ts';
import { clock, exact, timeZone } from '../strings/times.ts';

export interface HistoryPageProps {
  readonly status: StatusDocument;
  /** The newest day first. */
  readonly days: readonly HistoryDay[];
  /** The active filter; null for everything. */
  readonly about: HistoryAbout | null;
  /** The available filters. */
  readonly offered: readonly HistoryAbout[];
  /** Page number, from 1, and whether another page follows. */
  readonly page: number;
  readonly more: boolean;
}

function addressOf(about: HistoryAbout | null, page = 1): string {
  const query = [...(about === null ? [] : [`about=${about}`]), ...(page === 1 ? [] : [`page=${page}`])].join('&');
  return query === '' ? '/history' : `/history?${query}`;
}

interface FilterProps {
  readonly chosen: HistoryAbout | null;
  readonly offered: readonly HistoryAbout[];
}

const Filter = ({ chosen, offered }: FilterProps) => (
  <nav class="jump" aria-label={t('history.filter')}>
    {[null, ...offered].map((about) => (
      <a key={about ?? 'all'} href={addressOf(about)} {...(about === chosen && { 'aria-current': 'page' as const })}>
        {t(`history.about.${about ?? 'all'}`)}
      </a>
    ))}
  </nav>
);

const isIcon = (name: string): name is IconName => Object.hasOwn(icons, name);

const Day = ({ day: { title, rows }, index }: { readonly day: HistoryDay; readonly index: number }) => (
  <section class="card" aria-labelledby={`day-${index}`}>
    <h2 id={`day-${index}`}>{title}</h2>
    <ul>
      {rows.map(({ at, icon, sentence, times }) => (
        <li key={`${at}-${sentence}`} class="entry">
          <time title={exact(at)}>{clock(at)}</time>
          <Icon name={isIcon(icon) ? icon : 'mdi:circle-outline'} size={20} />
          <span>
            {sentence}
            {times === 1 ? null : <span class="entry-times">{` ${t('history.often', { count: times })}`}</span>}
          </span>
        </li>
      ))}
    </ul>
  </section>
);

/** `/history`: what happened, by day, further back than on the status page. */
export const HistoryPage = ({ status, days, about, offered, page, more }: HistoryPageProps) => (
  <Shell status={status} page="history">
    <Filter chosen={about} offered={offered} />
    <div class="stack days">
      {days.length === 0 ? (
        <p class="card hint">{t(about === null ? 'history.empty' : 'history.nothing')}</p>
      ) : (
        days.map((day, index) => <Day key={day.title} day={day} index={index} />)
      )}
    </div>
    {page === 1 && !more ? null : (
      <nav class="pages" aria-label={t('history.pages')}>
        {page === 1 ? null : (
          <a class="button" href={addressOf(about, page - 1)}>
            {t('history.newer')}
          </a>
        )}
        {more ? (
          <a class="button" href={addressOf(about, page + 1)}>
            {t('history.older')}
          </a>
        ) : null}
      </nav>
    )}
    <p class="hint history-foot">{t('history.intro', { zone: timeZone() })}</p>
  </Shell>
);
