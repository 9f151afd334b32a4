import type { ResetDocument } from '#machines/reset/document.ts';
import type { ResetScope } from '#machines/reset/events.ts';
import { t, tOr } from '../strings/t.ts';
import { ago } from '../strings/times.ts';
import { Icon } from './icon.tsx';
import { Shield } from './shield.tsx';

export interface ResetViewProps {
  readonly doc: ResetDocument;
  readonly now: number;
  /** True if the panel is answering. */
  readonly reachable: boolean;
  /** The reset requested here, until the panel reports its result. */
  readonly asked: ResetScope | null;
  /** True once the panel has stored the request. */
  readonly ordered: boolean;
  /** True if the panel has been away for longer than a restart takes. */
  readonly silent: boolean;
}

/** The choices, the smallest first. */
const scopes: readonly ResetScope[] = ['connection', 'settings', 'everything'];

/** What each choice removes and keeps, by string key. */
const goes: Readonly<Record<ResetScope, readonly string[]>> = {
  connection: ['entities', 'broker', 'sign_in', 'learned', 'browser'],
  settings: ['entities', 'settings', 'sign_in', 'browser'],
  everything: ['entities', 'settings', 'sign_in', 'all_learned', 'history', 'profiles', 'rest', 'browser'],
};
const stays: Readonly<Record<ResetScope, readonly string[]>> = {
  connection: ['name', 'settings', 'profiles', 'history', 'search'],
  settings: ['panel_id', 'profiles', 'learned', 'search'],
  everything: ['install_id', 'home_assistant', 'search'],
};

/** How long a finished reset is shown with the next step, in milliseconds. */
const announcedForMs = 15 * 60_000;

/** The reset under way, requested here or elsewhere; null if none. */
export const underWay = ({ doc, asked }: Pick<ResetViewProps, 'doc' | 'asked'>): ResetScope | null =>
  asked ?? doc.scope;

const Sentences = ({ kind, names }: { readonly kind: 'goes' | 'stays'; readonly names: readonly string[] }) => (
  <ul class="reset-list">
    {names.map((name) => (
      <li key={name}>{tOr(`reset.${kind}.${name}`, name)}</li>
    ))}
  </ul>
);

const countKeys = ['settings', 'dashboards', 'profiles', 'happenings'] as const;

/** True if a reset would change nothing that can be counted. */
const isEmpty = ({ entities, choices }: ResetDocument, scope: ResetScope): boolean =>
  entities === 0 && countKeys.every((key) => choices[scope][key] === 0);

function Counts({ doc, scope }: { readonly doc: ResetDocument; readonly scope: ResetScope }) {
  const counts = doc.choices[scope];
  const words = countKeys.flatMap((key) =>
    counts[key] === 0 ? [] : [t(`reset.count.${key}`, { count: counts[key] })],
  );
  const entities = doc.entities === 0 ? [] : [t('reset.count.entities', { count: doc.entities })];
  const all = [...entities, ...words];
  return (
    <p class="hint" id={`counts-${scope}`}>
      {isEmpty(doc, scope) ? t(`reset.none.${scope}`) : t('reset.count.now', { list: all.join(', ') })}
    </p>
  );
}

const linkKeys = /^(?:mqtt|ha)_/;

/** Names of a choice's settings that the start command saves again; "" if none. */
export const comesBack = ({ comes_back: keys }: ResetDocument, scope: ResetScope): string =>
  keys
    .filter((key) => (scope === 'connection' ? linkKeys.test(key) : scope === 'everything' || key !== 'panel_id'))
    .map((key) => tOr(`reset.key.${key}`, key))
    .join(', ');

/** What a choice removes, and what comes back at the next start. */
function briefWords(doc: ResetDocument, scope: ResetScope): string {
  const list = comesBack(doc, scope);
  return `${t(`reset.brief.${scope}`)}${list === '' ? '' : ` ${t('reset.comes_back_in', { list })}`}`;
}

function Choice({ props, scope }: { readonly props: ResetViewProps; readonly scope: ResetScope }) {
  const off = !props.reachable || props.doc.trial || underWay(props) !== null || isEmpty(props.doc, scope);
  return (
    <section class="card stack" aria-labelledby={`reset-${scope}`}>
      <h2 id={`reset-${scope}`}>{t(`reset.title.${scope}`)}</h2>
      <p class="hint">{t(`reset.for.${scope}`)}</p>
      <p>{briefWords(props.doc, scope)}</p>
      <details class="fold" id={`detail-${scope}`}>
        <summary>
          <span class="fold-title">{t('reset.detail')}</span>
        </summary>
        <div class="fold-body">
          <div>
            <h3>{t('reset.goes')}</h3>
            <Sentences kind="goes" names={goes[scope]} />
          </div>
          <div>
            <h3>{t('reset.stays')}</h3>
            <Sentences kind="stays" names={stays[scope]} />
          </div>
        </div>
      </details>
      <Counts doc={props.doc} scope={scope} />
      <p>
        <button
          type="button"
          class={scope === 'everything' ? 'button grave' : 'button'}
          data-reset={scope}
          data-off={off ? '1' : '0'}
          aria-describedby={`counts-${scope}`}
          disabled
        >
          {t(`reset.do.${scope}`)} <Shield />
        </button>
      </p>
    </section>
  );
}

function Progress({ doc, reachable, ordered, silent, scope }: ResetViewProps & { readonly scope: ResetScope }) {
  const restarting = !reachable || doc.phase === 'restarting' || ordered;
  const words = silent ? 'reset.step.silent' : restarting ? 'reset.step.restarting' : 'reset.step.withdrawing';
  return (
    <section class="step" aria-labelledby="reset-now">
      <h2 id="reset-now">{t(`reset.under_way.${scope}`)}</h2>
      <p>{t(words)}</p>
      {silent ? null : (
        <>
          <progress class="bar" max={3} value={restarting ? 2 : 1} aria-label={t('reset.progress')}></progress>
          <p class="hint">{t('reset.step.help')}</p>
        </>
      )}
    </section>
  );
}

/** True if the last reset has a result to show; then, and during a reset, the choices are folded. */
const isAnnounced = ({ doc: { last }, now }: ResetViewProps): boolean =>
  last !== null && (!last.finished || now - last.at <= announcedForMs);

function Done(props: ResetViewProps) {
  const { last } = props.doc;
  if (last === null || !isAnnounced(props)) return null;
  if (!last.finished)
    return (
      <section class="step" aria-labelledby="reset-waits">
        <h2 id="reset-waits">{t('reset.waits')}</h2>
        <p>{t(last.failure === null ? 'reset.unfinished' : 'reset.unfinished_why', { code: last.failure ?? '' })}</p>
        <p>
          <button type="button" class="button primary" data-cancel disabled>
            {t('reset.cancel')}
          </button>
        </p>
      </section>
    );
  return (
    <section class="step" aria-labelledby="reset-done">
      <h2 id="reset-done">{t(`reset.done.${last.scope}`)}</h2>
      <p class="hint">{ago(last.at, props.now)}</p>
      {last.left_behind === 0 ? null : <p>{t('reset.left_behind', { count: last.left_behind })}</p>}
      <p>
        <a class="button primary" href="/setup">
          {t('reset.next')}
        </a>
      </p>
    </section>
  );
}

const Choices = (props: ResetViewProps) => (
  <div class="grid">
    {scopes.map((one) => (
      <Choice key={one} props={props} scope={one} />
    ))}
  </div>
);

/** The three choices with what each removes, the reset under way, and the result of the last one. */
export function ResetView(props: ResetViewProps) {
  const { doc } = props;
  const scope = underWay(props);
  return (
    <div class="stack">
      {scope === null ? <Done {...props} /> : <Progress {...props} scope={scope} />}
      {doc.trial ? <p class="notice">{t('reset.trial')}</p> : null}
      {doc.comes_back.length === 0 ? null : (
        <p class="notice comes-back">
          <Icon name="mdi:alert" size={20} />
          <span>{t('reset.comes_back')}</span>
        </p>
      )}
      <p class="said" role="status" data-said data-keep></p>
      {scope === null && !isAnnounced(props) ? (
        <Choices {...props} />
      ) : (
        <details class="fold" data-choices>
          <summary>
            <span class="fold-title">{t('reset.others')}</span>
          </summary>
          <Choices {...props} />
        </details>
      )}
    </div>
  );
}
