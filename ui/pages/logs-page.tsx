import type { StoredEntry } from '#machines/live-log/events.ts';
import type { StatusDocument } from '#machines/status.ts';
import { Icon } from '../parts/icon.tsx';
import { LogBetween, LogDay, LogLine } from '../parts/log-line.tsx';
import { Shell } from '../parts/shell.tsx';
import { t } from '../strings/t.ts';
import { dayOf } from '../strings/times.ts';

const levels = ['trace', 'info', 'warn', 'error'] as const;

const Tools = () => (
  <div class="log-tools">
    <div class="log-filters">
      <select class="input" data-level aria-label={t('logs.level')} disabled>
        {levels.map((level) => (
          <option key={level} value={level}>
            {t(`logs.level.${level}`)}
          </option>
        ))}
      </select>
      <input
        class="input"
        type="search"
        maxlength={100}
        autocomplete="off"
        data-search
        aria-label={t('logs.search')}
        placeholder={t('logs.search')}
        disabled
      />
    </div>
    <div class="log-bar">
      <p class="log-state">
        <span role="status" data-link></span>
        <span data-count></span>
      </p>
      <button type="button" class="button quiet log-button" data-pause disabled>
        <Icon name="mdi:pause" size={20} />
        <Icon name="mdi:play" size={20} />
        <span data-pause-word>{t('logs.pause')}</span>
      </button>
      <button type="button" class="button quiet log-button" data-copy="" aria-label={t('logs.copy_label')} disabled>
        <Icon name="mdi:content-copy" size={20} />
        <span>{t('command.copy')}</span>
      </button>
      <a
        class="button quiet log-button"
        href="/api/v1/logs?lines=5000&download=1"
        download="sconce-log.txt"
        aria-label={t('logs.download_label')}
      >
        <Icon name="mdi:download" size={20} />
        <span>{t('logs.download')}</span>
      </a>
    </div>
  </div>
);

/** An entry, with a heading for the day if it is the day's newest. */
const Row = ({ entry, above, now }: { entry: StoredEntry; above: StoredEntry | undefined; now: number }) => (
  <>
    {above !== undefined && dayOf(above.at) === dayOf(entry.at) ? null : <LogDay at={entry.at} now={now} />}
    {entry.kind === 'line' ? <LogLine line={entry} /> : <LogBetween entry={entry} />}
  </>
);

/**
 * `/logs`: the newest entries of the stored log; scripts add older ones and each new line. `entries` are oldest first.
 */
export function LogsPage({
  status,
  entries,
}: {
  readonly status: StatusDocument;
  readonly entries: readonly StoredEntry[];
}) {
  const newestFirst = entries.toReversed();
  return (
    <Shell status={status} page="logs">
      <sconce-logs>
        <Tools />
        <ol class="log" aria-label={t('logs.list')}>
          {newestFirst.map((entry, index) => (
            <Row key={index} entry={entry} above={newestFirst[index - 1]} now={status.taken_at} />
          ))}
        </ol>
        <p class="hint" data-none hidden={entries.length > 0}>
          {t('logs.empty')}
        </p>
        <p class="hint">{t('logs.intro')}</p>
        <p class="hint">
          {t('logs.level_help')} <a href="/configure/system#field-log_level">{t('logs.level_setting')}</a>
        </p>
      </sconce-logs>
    </Shell>
  );
}
