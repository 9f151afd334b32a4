import type { StatusDocument } from '#machines/status.ts';
import type { Child } from 'hono/jsx';
import { DashboardStorage } from '../parts/dashboard-storage.tsx';
import { Field, Reading } from '../parts/field.tsx';
import { tiersOf, type FormGroup, type FormItem, type FormValues } from '../parts/form-item.ts';
import { Icon } from '../parts/icon.tsx';
import { Live } from '../parts/live.tsx';
import { Question } from '../parts/question.tsx';
import { Shell } from '../parts/shell.tsx';
import { t } from '../strings/t.ts';

interface Drawn {
  readonly values: FormValues;
  readonly status: StatusDocument;
}

const Fields = ({ items, values, status }: Drawn & { readonly items: readonly FormItem[] }) => (
  <div class="fields">
    {items.map((item) => (
      <Field key={item.key} item={item} values={values} status={status} />
    ))}
  </div>
);

/** Above the fields of a group: the state of what they configure. */
const above: Readonly<Record<string, (status: StatusDocument) => Child>> = {
  mqtt: (status) => (
    <div class="inset" role="group" aria-label={t('form.broker')}>
      <Live part="broker" status={status} />
    </div>
  ),
  'home-assistant': (status) => (
    <div class="inset" role="group" aria-label={t('links.sign_in')}>
      <Live part="sign-in" status={status} />
      <p class="hint">
        {t('companion.chosen_there')} <a href="/companion">{t('page.companion')}</a>
      </p>
    </div>
  ),
  voice: () => (
    <p class="hint">
      {t('voice.chosen_there')} <a href="/voice">{t('page.voice')}</a>
    </p>
  ),
};

/** Below the fields: actions besides settings. */
const below: Readonly<Record<string, (status: StatusDocument) => Child>> = {
  dashboard: (status) => <DashboardStorage status={status} />,
};

function Settings({ group: { id, items }, values, status }: Drawn & { readonly group: FormGroup }) {
  const { basic, advanced } = tiersOf(items);
  return (
    <>
      {above[id]?.(status)}
      <Fields items={basic} values={values} status={status} />
      {advanced.length === 0 ? null : (
        <details class="fold advanced" id={`advanced-${id}`}>
          <summary>
            <span class="fold-title">{t('form.advanced', { count: advanced.length })}</span>
          </summary>
          <div class="fold-body">
            <Fields items={advanced} values={values} status={status} />
          </div>
        </details>
      )}
      {below[id]?.(status)}
    </>
  );
}

/** Readings, which Home Assistant shows and no setting changes. */
const Readings = ({ items, values }: { readonly items: readonly FormItem[]; readonly values: FormValues }) => (
  <>
    <p class="hint">{t('form.readings_help', { count: items.length })}</p>
    <div class="fields">
      {items.map((item) => (
        <Reading key={item.key} item={item} shown={values.ha_expose[item.key] === true} />
      ))}
    </div>
  </>
);

const SaveBar = () => (
  <div class="save-bar" role="region" aria-label={t('form.bar')} hidden>
    <Icon name="mdi:alert" />
    <p class="said" role="status" data-form-word></p>
    <a class="button quiet" href="#content" data-go hidden></a>
    <button type="button" class="button" data-discard disabled>
      {t('form.discard')}
    </button>
    <button type="submit" class="button primary" data-save disabled>
      {t('form.save')}
    </button>
  </div>
);

export interface ConfigureGroupPageProps {
  readonly status: StatusDocument;
  readonly group: FormGroup;
  /** Every group with a page, in display order. */
  readonly groups: readonly Pick<FormGroup, 'id' | 'title'>[];
  readonly config: FormValues;
}

/** `/configure/<group>`: the settings of one group, generated from their descriptors. */
export const ConfigureGroupPage = ({ status, group, groups, config }: ConfigureGroupPageProps) => (
  <Shell status={status} page="configure-group" heading={group.title} ofProfile>
    <nav class="jump" aria-label={t('form.sections')}>
      <a href="/configure">{t('form.all')}</a>
      {groups.map(({ id, title }) => (
        <a key={id} href={`/configure/${id}`} aria-current={id === group.id ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
    <sconce-settings data-revision={status.configuration.revision}>
      <form
        class="settings"
        method="post"
        action="/api/v1/config"
        novalidate
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
      >
        <section class="card" id={`group-${group.id}`} aria-label={group.title}>
          {group.items.every(({ readOnly }) => readOnly) ? (
            <Readings items={group.items} values={config} />
          ) : (
            <Settings group={group} values={config} status={status} />
          )}
        </section>
        <p class="hint form-hint">{t('form.intro')}</p>
        <SaveBar />
      </form>
      <Question id="new-device" />
    </sconce-settings>
  </Shell>
);
