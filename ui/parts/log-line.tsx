import type { LogLine as Line } from '#machines/logs/events.ts';
import { t } from '../strings/t.ts';
import { exact, seconds } from '../strings/times.ts';

/**
 * One line of the log: when, how much it matters, who wrote it, and what; drawn alike on the server and in the browser.
 */
export const LogLine = ({ line }: { readonly line: Line }) => (
  <li class={`log-line log-${line.level}`}>
    <p class="log-head">
      <time datetime={new Date(line.at).toISOString()} title={exact(line.at)}>
        {seconds(line.at)}
      </time>
      <span class="log-level">{t(`logs.mark.${line.level}`)}</span>
      {line.part === '' ? null : <span class="log-part">{line.part}</span>}
    </p>
    <p class="log-text">
      {line.text}
      {line.facts === '' ? null : <span class="log-facts">{` ${line.facts}`}</span>}
    </p>
  </li>
);
