import type { LogLine as Line } from '#machines/logs/events.ts';
import type { StatusDocument } from '#machines/status.ts';
import { Icon } from '../parts/icon.tsx';
import { LogLine } from '../parts/log-line.tsx';
import { Shell } from '../parts/shell.tsx';
import { t } from '../strings/t.ts';

const levels = ['trace', 'info', 'warn', 'error'] as const;

const Tools = () => (
  <div class="log-tools">
    <label class="log-tool">
      <span>{t('logs.level')}</span>
      <select class="input" data-level disabled>
        {levels.map((level) => (
          <option key={level} value={level}>
            {t(`logs.level.${level}`)}
          </option>
        ))}
      </select>
    </label>
    <label class="log-tool">
      <span>{t('logs.search')}</span>
      <input class="input" type="search" maxlength={100} autocomplete="off" data-search disabled />
    </label>
    <div class="log-buttons">
      <button type="button" class="button" data-pause disabled>
        {t('logs.pause')}
      </button>
      <button type="button" class="button" data-copy="" aria-label={t('logs.copy_label')} disabled>
        <Icon name="content-copy" size={20} />
        <span>{t('command.copy')}</span>
      </button>
    </div>
  </div>
);

/**
 * `/logs`: the newest lines of the log, and with scripts each new one as it comes. `lines` are in order, the oldest
 * first.
 */
export const LogsPage = ({ status, lines }: { readonly status: StatusDocument; readonly lines: readonly Line[] }) => (
  <Shell status={status} page="logs" title="page.logs" styles={['logs']}>
    <p class="lead">{t('logs.intro')}</p>
    <sconce-logs class="card">
      <Tools />
      <p class="log-state">
        <span role="status" data-link></span>
        <span data-count>{t('logs.shown', { count: lines.length })}</span>
      </p>
      <ol class="log" aria-label={t('logs.list')}>
        {lines.toReversed().map((line) => (
          <LogLine key={line.seq} line={line} />
        ))}
      </ol>
      <p class="hint" data-none hidden={lines.length > 0}>
        {t('logs.empty')}
      </p>
      <p class="hint">
        {t('logs.level_help')} <a href="/configure#group-system">{t('logs.level_setting')}</a>
      </p>
    </sconce-logs>
  </Shell>
);
