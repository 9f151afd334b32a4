import type { KeptEntry, LogLineLevel } from '#machines/logs/events.ts';
import { t, tOr } from '../strings/t.ts';
import { dayOf, dayWords, exact, seconds } from '../strings/times.ts';
import { Icon } from './icon.tsx';

/** A line of the log, from the kept log or the live one. */
export type Line = Omit<Extract<KeptEntry, { kind: 'line' }>, 'kind'>;

/** What stands between the lines. */
export type Between = Exclude<KeptEntry, { kind: 'line' }>;

const troubles: readonly LogLineLevel[] = ['warn', 'error', 'fatal'];

/** How much a line matters, by shape and word: colour alone says nothing to everybody. */
const Level = ({ level }: { readonly level: LogLineLevel }) => (
  <span class="log-level">
    {troubles.includes(level) ? <Icon name={level === 'warn' ? 'alert' : 'alert-octagon'} size={16} /> : null}
    {t(`logs.mark.${level}`)}
  </span>
);

const Head = ({ line }: { readonly line: Line }) => (
  <>
    <span class="log-head">
      <time datetime={new Date(line.at).toISOString()} title={exact(line.at)}>
        {seconds(line.at)}
      </time>
      <Level level={line.level} />
    </span>
    <span class="log-text">{line.text}</span>
  </>
);

/** What stands behind the words, for finding faults: who wrote the line, when exactly, and its facts. */
const Facts = ({ line }: { readonly line: Line }) => (
  <p class="log-facts">{[exact(line.at), ...(line.part === '' ? [] : [line.part]), line.facts].join(' · ')}</p>
);

/** One line of the log, drawn alike on the server and in the browser: its words, and its facts folded beneath. */
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

/** Where the agent started, and why it had to; or how many lines are missing. */
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

/** The day of the entries beneath it; that of today is not seen, since their times say enough. */
export const LogDay = ({ at, now }: { readonly at: number; readonly now: number }) => (
  <li class={dayOf(at) === dayOf(now) ? 'log-day unseen' : 'log-day'}>{dayWords(at, now)}</li>
);
