import type { FilterDocument, IssueList, ShownIssue, SyncDocument } from '#machines/entity-filter/documents.ts';
import { t } from '../strings/t.ts';
import { type Measured, Savings } from './entities-savings.tsx';
import { type EntitiesAction, headlineOf, placeWords, sentence, type Without } from './entities-words.ts';
import { Icon } from './icon.tsx';
import { Moment } from './moment.tsx';
import { Sentence } from './sentence.tsx';
import { StateMark } from './state-mark.tsx';

/** What the upper part of the page shows. */
export interface EntitiesViewProps {
  readonly filter: FilterDocument;
  readonly sync: SyncDocument;
  readonly issues: IssueList;
  readonly now: number;
  /** True if drawn by scripts; without them, controls are disabled. */
  readonly live: boolean;
  readonly measured: Measured;
  /** Why this panel draws no dashboard; null if it or another browser does. */
  readonly without: Without;
}

/** Links to where a person can act. */
const elsewhere: Readonly<Partial<Record<EntitiesAction, string>>> = {
  'sign-in': '/sign-in',
  renderer: '/configure/dashboard#field-dashboard_package',
  status: '/',
};

function Action({ action, props }: { readonly action: EntitiesAction; readonly props: EntitiesViewProps }) {
  const words = t(`entities.action.${action}`, { count: props.sync.learned_count });
  const href = elsewhere[action];
  return href === undefined ? (
    <button type="button" class="button primary" data-entities={action} disabled={!props.live}>
      {words}
    </button>
  ) : (
    <a class={action === 'sign-in' ? 'button primary' : 'button'} href={href}>
      {words}
    </a>
  );
}

const Dashboards = ({ sync }: { readonly sync: SyncDocument }) =>
  sync.dashboards.length < 2 ? null : (
    <nav class="jump entity-places" aria-label={t('entities.dashboards')}>
      {sync.dashboards.map(({ dashboard, title, is_home: isHome, active_count: count }) => (
        <a
          key={dashboard}
          href={`/entities?dashboard=${encodeURIComponent(dashboard)}`}
          {...(dashboard === sync.dashboard && { 'aria-current': 'page' })}
        >
          {isHome ? <Icon name="mdi:home-outline" size={20} /> : null}
          <span>
            {t(count === null ? 'entities.dashboard_all' : 'entities.dashboard', { name: title, count: count ?? 0 })}
          </span>
        </a>
      ))}
    </nav>
  );

const Facts = ({ sync, now }: { readonly sync: SyncDocument; readonly now: number }) => (
  <dl class="facts entity-facts">
    <div>
      <dt>{t('entities.before')}</dt>
      <dd>{sync.total_count === null ? t('entities.all') : t('entities.count', { count: sync.total_count })}</dd>
    </div>
    <div>
      <dt>{t('entities.after')}</dt>
      <dd>{t('entities.count', { count: sync.learned_count })}</dd>
    </div>
    {sync.scanned_at === null ? null : (
      <div>
        <dt>{t('entities.read')}</dt>
        <dd>
          <Moment at={sync.scanned_at} now={now} />
        </dd>
      </div>
    )}
  </dl>
);

/** How to get a dashboard on a panel started by hand without one. */
const Try = ({ without }: { readonly without: Exclude<Without, null> }) => (
  <details class="plain-fold">
    <summary>{t(`entities.try.${without}`)}</summary>
    <p class="hint">
      <Sentence text={t(`entities.try_text.${without}`)} />
    </p>
  </details>
);

function Summary(props: EntitiesViewProps) {
  const { sync, issues, filter, live } = props;
  const { state, title, text, action } = headlineOf(sync, issues.items, filter.mode === 'manual', props.without);
  const learned = sync.no_filter === null && sync.scanned_at !== null;
  return (
    <section class="card" aria-labelledby="entities-title">
      <div class="card-head">
        <h2 id="entities-title">{title}</h2>
        <StateMark state={state} />
      </div>
      <div class="summary">
        <p>
          <Sentence text={text} />
        </p>
        {sync.fault === null ? null : <p class="refusal">{t('entities.fault', { reason: sync.fault })}</p>}
        {learned ? <Facts sync={sync} now={props.now} /> : null}
        <div class="entity-buttons">
          {action === null ? null : <Action action={action} props={props} />}
          {learned && action !== 'sync' ? (
            <button type="button" class="button" data-entities="sync" disabled={!live || sync.scan !== null}>
              {t(sync.scan === null ? 'entities.action.sync' : 'entities.scanning')}
            </button>
          ) : null}
        </div>
        {sync.no_filter === 'no-renderer' && props.without !== null ? <Try without={props.without} /> : null}
      </div>
      <p class="said" role="status" data-said data-keep></p>
    </section>
  );
}

function Issue({ issue, live }: { readonly issue: ShownIssue; readonly live: boolean }) {
  const place = placeWords(issue);
  const title = t(`entities.issue.${issue.kind}`, {
    place: issue.kind === 'enumerating-card' ? sentence(place) : place,
    subject: issue.subject ?? '',
  });
  const word = t(issue.ignored ? 'entities.undo' : 'entities.ignore');
  return (
    <li class={issue.ignored ? 'entity-issue is-ignored' : 'entity-issue'}>
      <div>
        <p class="entity-issue-title">{title}</p>
        <p class="hint">{t(issue.ignored ? 'entities.ignored' : `entities.issue_help.${issue.kind}`, { place })}</p>
      </div>
      {issue.kind === 'too-large' ? null : (
        <button
          type="button"
          class="button"
          data-entities={issue.ignored ? 'undo' : 'ignore'}
          data-fingerprint={issue.fingerprint}
          aria-label={`${word}: ${title}`}
          disabled={!live}
        >
          {word}
        </button>
      )}
    </li>
  );
}

/** Maximum issues drawn by the server; scripts show all. */
const mostIssues = 4;

function Issues({ issues, sync, live }: EntitiesViewProps) {
  // Without a filter there is nothing to report.
  if (issues.items.length === 0 || sync.no_filter !== null) return null;
  const shown = live ? issues.items : issues.items.slice(0, mostIssues);
  return (
    <section class="card entity-wide" aria-labelledby="issues-title">
      <h2 id="issues-title">
        {issues.dashboard_issue_count === 0
          ? t('entities.issues_none')
          : t('entities.issues', { count: issues.dashboard_issue_count })}
      </h2>
      <ul>
        {shown.map((issue) => (
          <Issue key={issue.fingerprint} issue={issue} live={live} />
        ))}
      </ul>
      {shown.length < issues.items.length ? (
        <p class="hint">{t('entities.issues_more', { count: issues.items.length - shown.length })}</p>
      ) : null}
    </section>
  );
}

/** The upper part of the page: how the dashboard is shown, open decisions, and savings. */
export const EntitiesView = (props: EntitiesViewProps) => (
  <>
    <Dashboards sync={props.sync} />
    <div class="entity-grid">
      <Summary {...props} />
      {props.sync.no_filter === null ? <Savings measured={props.measured} live={props.live} /> : null}
      <Issues {...props} />
    </div>
  </>
);
