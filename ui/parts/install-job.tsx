import { t } from '../strings/t.ts';
import { type JobDocument, jobParts, type JobResultDocument as Result } from './install-documents.ts';
import { Icon } from './icon.tsx';
import type { IconName } from '../icons.ts';
import { Moment } from './moment.tsx';

export interface JobViewProps {
  readonly job: JobDocument;
  readonly now: number;
  /** True if the panel answers. */
  readonly reachable: boolean;
  /** True if the panel has been away for longer than a restart takes. */
  readonly silent: boolean;
}

const icons: Readonly<Record<Result['status'], IconName>> = {
  succeeded: 'mdi:check-circle',
  partial: 'mdi:alert',
  failed: 'mdi:alert-octagon',
  skipped: 'mdi:circle-off-outline',
  rolled_back: 'mdi:undo-variant',
  rollback_failed: 'mdi:alert-octagon',
};

const Parts = ({ result }: { readonly result: Result }) => (
  <ul class="plain-list job-parts">
    {jobParts.map((name) => {
      const part = result[name];
      return part === undefined ? null : (
        <li key={name}>
          <Icon name={icons[part.status]} size={20} />
          <span>
            <strong>{t(`install.part.${name}`)}</strong>
            {': '}
            {t(`install.word.${part.status}`)}
            {part.items === undefined ? null : <span class="hint"> {t('install.items', { count: part.items })}</span>}
            {part.detail === undefined ? null : <span class="hint job-detail">{part.detail}</span>}
          </span>
        </li>
      );
    })}
  </ul>
);

function Running({ job, now, reachable, silent }: JobViewProps) {
  const restarting = job.ordered || !reachable;
  const words = silent
    ? t('install.job.silent')
    : job.ordered
      ? t('install.job.restarting')
      : reachable
        ? ''
        : t('install.job.unanswered');
  return (
    <section class="step" aria-labelledby="job-title" aria-busy="true">
      <h2 id="job-title">{t('install.job.title')}</h2>
      <p role="status">{job.message}</p>
      {words === '' ? null : <p>{words}</p>}
      {silent ? null : (
        <progress class="bar" max={3} value={restarting ? 2 : undefined} aria-label={t('install.job.progress')} />
      )}
      {job.started_at === undefined ? null : (
        <p class="hint">
          {t('install.job.since')} <Moment at={job.started_at} now={now} />
        </p>
      )}
    </section>
  );
}

/** The running operation, or how the last one ended; nothing if there was none. */
export function JobView(props: JobViewProps) {
  const { job, now } = props;
  if (job.running) return <Running {...props} />;
  if (job.result === undefined) return <></>;
  return (
    <section class="card" aria-labelledby="job-title">
      <h2 id="job-title">{t('install.job.last')}</h2>
      <p class="job-end">
        <Icon name={icons[job.result.status]} size={20} />
        <span>
          {job.message}
          {job.ended_at === undefined ? null : (
            <span class="hint">
              {' '}
              {t('install.job.ended')} <Moment at={job.ended_at} now={now} />
            </span>
          )}
        </span>
      </p>
      <Parts result={job.result} />
    </section>
  );
}
