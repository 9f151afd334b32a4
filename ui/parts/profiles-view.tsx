import type { ProfileCatalog, ProfileRow as Row, ShownCatalog } from '#machines/profile-catalog/listing.ts';
import { t } from '../strings/t.ts';
import { ago } from '../strings/times.ts';
import { Shield } from './shield.tsx';
import { Icon } from './icon.tsx';
import { ProfileRow } from './profile-row.tsx';
import { nameOf, rowOf } from './profile-words.ts';
import { Sentence } from './sentence.tsx';
import { StateMark, type StateWord } from './state-mark.tsx';

export interface ProfilesViewProps {
  /** Null until read. */
  readonly catalog: ShownCatalog | null;
  /** Name of the profile in use if the catalogue has none. */
  readonly title: string;
  readonly now: number;
  /** True if the panel is answering. */
  readonly reachable: boolean;
  /** True if drawn by scripts; without them it is read-only, and long lists are cut. */
  readonly live: boolean;
  /** Name of the requested profile, until the panel reports the result. */
  readonly expected: string | null;
}

function stateOf({ catalog, reachable }: ProfilesViewProps): StateWord {
  if (catalog === null || !reachable || catalog.activation.state === 'trial') return 'checking';
  return catalog.activation.state === 'rolled_back' || catalog.issues.length > 0 ? 'needs_you' : 'working';
}

function chosenWords(catalog: ProfileCatalog): string {
  switch (catalog.selection.mode) {
    case 'auto':
      return t(catalog.active?.id === 'simulated' ? 'profiles.chosen_no_screen' : 'profiles.chosen_auto');
    case 'pinned':
      return t('profiles.chosen_pinned');
    case 'command_line':
      return t('profiles.chosen_command_line');
  }
}

/** The bar is full once every condition has held long enough. */
const Progress = ({ words, trial }: { readonly words: string; readonly trial: ShownCatalog['trial'] }) => (
  <div class="step">
    <p>{words}</p>
    <progress
      class="bar"
      max={trial?.hold_ms ?? 1}
      value={trial?.held_ms ?? 0}
      aria-label={t('profiles.progress')}
    ></progress>
    <p class="hint">{t('profiles.trial_help')}</p>
  </div>
);

const trialWords = ({ activation, trial }: ShownCatalog, name: string): string =>
  activation.reason === 'restart-due'
    ? t('profiles.restart_due', { name })
    : t('profiles.trial', { name, count: Math.round((trial?.elapsed_ms ?? 0) / 1000) });

function Activation({ props, catalog }: { readonly props: ProfilesViewProps; readonly catalog: ShownCatalog }) {
  const { activation, trial } = catalog;
  const pending = props.expected ?? nameOf(catalog, catalog.pending, props.title);
  if (!props.reachable) return <Progress words={t('profiles.restarting', { name: pending })} trial={null} />;
  if (activation.state === 'trial') return <Progress words={trialWords(catalog, pending)} trial={trial} />;
  if (activation.state === 'rolled_back') {
    return (
      <div class="step">
        <p class="step-title">{t('profiles.rolled_back', { ago: ago(activation.since, props.now) })}</p>
        <p>{activation.detail}</p>
      </div>
    );
  }
  return null;
}

function InUse(props: ProfilesViewProps) {
  const { catalog } = props;
  const back = catalog?.rollback_to ?? null;
  const resting = catalog?.selection.mode === 'command_line';
  const busy = !props.reachable || catalog === null || catalog.activation.state === 'trial';
  return (
    <section class="card" aria-labelledby="in-use-title">
      <div class="card-head">
        <h2 id="in-use-title">{t('profiles.in_use')}</h2>
        <StateMark state={stateOf(props)} />
      </div>
      {catalog === null ? (
        <p class="hint">{t('profiles.reading')}</p>
      ) : (
        <div class="summary">
          <p class="in-use-name">{nameOf(catalog, catalog.active, props.title)}</p>
          <p class="hint">
            <Sentence text={chosenWords(catalog)} />
          </p>
          <Activation props={props} catalog={catalog} />
          {catalog.issues.map((issue) => (
            <p key={`${issue.code} ${issue.ref?.revision ?? ''}`} class="refusal">
              <Sentence text={issue.message} />
            </p>
          ))}
          {resting ? null : (
            <div class="profile-buttons">
              {back === null ? null : (
                <button type="button" class="button" data-profile="rollback" data-busy={busy ? '1' : '0'} disabled>
                  <Icon name="mdi:undo-variant" size={20} />
                  <span>
                    {back === 'auto'
                      ? t('profiles.roll_back_auto')
                      : t('profiles.roll_back', { name: nameOf(catalog, back, back.id) })}
                  </span>
                  <Shield />
                </button>
              )}
              {catalog.selection.mode === 'pinned' && back !== 'auto' ? (
                <button type="button" class="button" data-profile="auto" data-busy={busy ? '1' : '0'} disabled>
                  {t('profiles.automatic')} <Shield />
                </button>
              ) : null}
            </div>
          )}
        </div>
      )}
      <p class="said" role="status" data-said data-keep></p>
    </section>
  );
}

const Fresh = () => (
  <section class="card" aria-labelledby="fresh-title">
    <h2 id="fresh-title">{t('profiles.fresh')}</h2>
    <p class="hint">{t('profiles.fresh_help')}</p>
    <div class="profile-buttons">
      <button type="button" class="button" data-open="device" disabled>
        <Icon name="mdi:tablet" size={20} />
        <span>{t('profiles.from_device')}</span>
      </button>
      <button type="button" class="button" data-open="template" disabled>
        <Icon name="mdi:file-plus-outline" size={20} />
        <span>{t('profiles.from_template')}</span>
      </button>
      <button type="button" class="button" data-open="file" disabled>
        <Icon name="mdi:text-box-outline" size={20} />
        <span>{t('profiles.from_file')}</span>
      </button>
    </div>
  </section>
);

/** Maximum revisions drawn by the server, so that the page stays small. */
const mostDrawn = 6;

function Rows({ props, rows }: { readonly props: ProfilesViewProps; readonly rows: readonly Row[] }) {
  const { catalog, live } = props;
  const active = catalog === null ? undefined : rowOf(catalog, catalog.active);
  const more = live ? 0 : Math.max(0, rows.length - mostDrawn);
  return (
    <>
      <ul class="folds">
        {rows.slice(0, rows.length - more).map((row) => (
          <ProfileRow
            key={`${row.id} ${row.revision}`}
            row={row}
            resting={catalog?.selection.mode === 'command_line'}
            inUse={row === active}
            live={live}
          />
        ))}
      </ul>
      {more === 0 ? null : <p class="hint">{t('profiles.more', { count: more })}</p>}
    </>
  );
}

/** The profile in use, ways to start a new one, and every revision. */
export function ProfilesView(props: ProfilesViewProps) {
  const all = props.catalog?.profiles ?? [];
  const local = all.filter((row) => row.origin === 'local');
  return (
    <div class="grid">
      <div class="stack">
        <InUse {...props} />
        <Fresh />
      </div>
      <div class="stack span-2">
        <section class="card" aria-labelledby="local-title">
          <h2 id="local-title">{t('profiles.local')}</h2>
          {local.length === 0 ? <p class="hint">{t('profiles.local_empty')}</p> : null}
          <Rows props={props} rows={local} />
        </section>
        <section class="card" aria-labelledby="bundled-title">
          <h2 id="bundled-title">{t('profiles.bundled')}</h2>
          {all.some(({ origin, maturity }) => origin === 'bundled' && maturity === 'draft') ? (
            <p class="hint">{t('profiles.unconfirmed')}</p>
          ) : null}
          <Rows props={props} rows={all.filter((row) => row.origin === 'bundled')} />
        </section>
      </div>
    </div>
  );
}
