import type { StoredEntry, LogLineLevel } from '#machines/live-log/events.ts';
import { t, tOr } from '../strings/t.ts';
import { dayOf, dayWords, exact, seconds } from '../strings/times.ts';
import { Icon } from './icon.tsx';

/** A line of the log, from the kept log or the live one. */
export type Line = Omit<Extract<StoredEntry, { kind: 'line' }>, 'kind'>;

/** Separators between lines. */
export type Between = Exclude<StoredEntry, { kind: 'line' }>;

const troubles: readonly LogLineLevel[] = ['warn', 'error', 'fatal'];

/**
 * The level of a line, by shape and word, since not everyone sees the colour. Most lines are `info`, which has no
 * mark.
 */
const Level = ({ level }: { readonly level: LogLineLevel }) =>
  level === 'info' ? null : (
    <span class="log-level">
      {troubles.includes(level) ? <Icon name={level === 'warn' ? 'mdi:alert' : 'mdi:alert-octagon'} size={16} /> : null}
      {t(`logs.mark.${level}`)}
    </span>
  );

const Head = ({ line }: { readonly line: Line }) => (
  <>
    <time class="log-time" datetime={new Date(line.at).toISOString()} title={exact(line.at)}>
      {seconds(line.at)}
    </time>
    <span class="log-words">
      <Level level={line.level} /> <span class="log-text">{line.text}</span>
    </span>
  </>
);

/** Details for troubleshooting: the source of the line, its exact time, and its facts. */
const Facts = ({ line }: { readonly line: Line }) => (
  <p class="log-facts">{[exact(line.at), ...(line.part === '' ? [] : [line.part]), line.facts].join(' · ')}</p>
);

/** One line of the log, drawn the same on the server and in the browser: its text, with its facts folded below. */
export const LogLine = ({ line }: { readonly line: Line }) => (
  <li class={`log-line log-${line.level}`}>
    {line.facts === '' && line.part === '' ? (
      <div class="log-row">
        <Head line={line} />
      </div>
    ) : (
      <details>
        <summary class="log-row">
          <Head line={line} />
        </summary>
        <Facts line={line} />
      </details>
    )}
  </li>
);

/** A start of the agent with its reason, or the number of missing lines. */
export const LogBetween = ({ entry }: { readonly entry: Between }) =>
  entry.kind === 'left_out' ? (
    <li class="log-note">{t('logs.dropped', { count: entry.count })}</li>
  ) : (
    <li class="log-note log-start">
      <time datetime={new Date(entry.at).toISOString()} title={exact(entry.at)}>
        {seconds(entry.at)}
      </time>
      <span>
        <strong>{t('logs.started')}</strong>
        {entry.before === null ? null : ` ${tOr(`logs.before.${entry.before}`, '')}`}
      </span>
    </li>
  );

/** A day in words, seen from `now`, with "Today" and "Yesterday". */
export function logDayWords(at: number, now: number): string {
  const day = dayWords(at, now);
  if (dayOf(at) === dayOf(now)) return t('logs.today', { day });
  const today = new Date(now);
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1).getTime();
  return dayOf(at) === dayOf(yesterday) ? t('logs.yesterday', { day }) : day;
}

/** The heading of a day. */
export const LogDay = ({ at, now }: { readonly at: number; readonly now: number }) => (
  <li class="log-day">{logDayWords(at, now)}</li>
);
