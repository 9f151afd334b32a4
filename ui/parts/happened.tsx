import type { StatusDocument } from '#machines/status/document.ts';
import { t } from '../strings/t.ts';
import { Moment } from './moment.tsx';

/** Entries that are seen at once; the rest is under a fold. */
const seenAtOnce = 4;

const Entry = ({ entry, now }: { readonly entry: StatusDocument['happened'][number]; readonly now: number }) => (
  <li class="happening">
    <span>
      {entry.sentence}
      {entry.times === 1 ? null : <span class="part-count">{` ${t('history.times', { count: entry.times })}`}</span>}
    </span>
    <Moment at={entry.at} now={now} />
  </li>
);

/** What happened lately, the newest first. */
export const Happened = ({ status, now }: { readonly status: StatusDocument; readonly now: number }) => {
  const entries = status.happened;
  if (entries.length === 0) return <p class="hint">{t('history.empty')}</p>;
  const earlier = entries.slice(seenAtOnce);
  return (
    <div>
      <ul>
        {entries.slice(0, seenAtOnce).map((entry) => (
          <Entry key={`${entry.at}-${entry.sentence}`} entry={entry} now={now} />
        ))}
      </ul>
      {earlier.length === 0 ? null : (
        <details class="plain-fold" id="earlier">
          <summary>{t('history.earlier', { count: earlier.length })}</summary>
          <ul>
            {earlier.map((entry) => (
              <Entry key={`${entry.at}-${entry.sentence}`} entry={entry} now={now} />
            ))}
          </ul>
        </details>
      )}
    </div>
  );
};
