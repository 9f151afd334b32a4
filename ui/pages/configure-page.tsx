import type { StatusDocument } from '#machines/status.ts';
import { DashboardStorage } from '../parts/dashboard-storage.tsx';
import { Expose, Field } from '../parts/field.tsx';
import {
  columnsOf,
  groupItems,
  readingsOf,
  type FormGroup,
  type FormItem,
  type FormValues,
} from '../parts/form-item.ts';
import { Live } from '../parts/live.tsx';
import { Shell } from '../parts/shell.tsx';
import { t, tOr } from '../strings/t.ts';

const groupTitle = (id: string): string => tOr(`form.group.${id}`, t('form.group.other'));

const Advanced = ({ group, values }: { readonly group: FormGroup; readonly values: FormValues }) => (
  <details class="fold advanced" id={`advanced-${group.id}`} open={group.basic.length === 0}>
    <summary>
      <span class="fold-title">{t('form.advanced', { count: group.advanced.length })}</span>
    </summary>
    <div class="fold-body fields">
      {group.advanced.map((item) => (
        <Field key={item.key} item={item} values={values} />
      ))}
    </div>
  </details>
);

const Group = ({
  group,
  values,
  status,
}: {
  readonly group: FormGroup;
  readonly values: FormValues;
  readonly status: StatusDocument;
}) => (
  <section class="card" id={`group-${group.id}`} aria-labelledby={`title-${group.id}`}>
    <h2 id={`title-${group.id}`}>{groupTitle(group.id)}</h2>
    {group.id === 'mqtt' ? (
      <div class="inset" role="group" aria-label={t('form.broker')}>
        <Live part="broker" status={status} />
      </div>
    ) : null}
    {group.id === 'home-assistant' ? (
      <div class="inset" role="group" aria-label={t('links.sign_in')}>
        <Live part="sign-in" status={status} />
      </div>
    ) : null}
    {group.basic.length === 0 ? null : (
      <div class="fields">
        {group.basic.map((item) => (
          <Field key={item.key} item={item} values={values} />
        ))}
      </div>
    )}
    {group.advanced.length === 0 ? null : <Advanced group={group} values={values} />}
    {group.id === 'dashboard' ? <DashboardStorage status={status} /> : null}
  </section>
);

const Readings = ({ items, values }: { readonly items: readonly FormItem[]; readonly values: FormValues }) => (
  <section class="card" id="group-readings" aria-labelledby="title-readings">
    <h2 id="title-readings">{t('form.readings')}</h2>
    <p class="hint">{t('form.readings_help')}</p>
    <div class="fields">
      {items.map((item) => (
        <Expose
          key={item.key}
          item={item}
          shown={values.ha_expose[item.key] === true}
          label={item.label}
          help={item.help}
        />
      ))}
    </div>
  </section>
);

/** What the page of settings is drawn from. */
export interface ConfigurePageProps {
  readonly status: StatusDocument;
  readonly descriptors: readonly FormItem[];
  readonly config: FormValues;
}

/** `/configure`: the settings of this panel, generated from their descriptions. */
export const ConfigurePage = ({ status, descriptors, config }: ConfigurePageProps) => {
  const groups = groupItems(descriptors);
  const readings = readingsOf(descriptors);
  return (
    <Shell status={status} page="configure" title="page.configure" styles={['form']} ofProfile>
      <p class="lead">{t(descriptors.length === 0 ? 'form.empty' : 'form.intro')}</p>
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
          <nav class="jump" aria-label={t('form.sections')}>
            {groups.map((group) => (
              <a key={group.id} href={`#group-${group.id}`}>
                {groupTitle(group.id)}
              </a>
            ))}
            {readings.length === 0 ? null : <a href="#group-readings">{t('form.readings')}</a>}
          </nav>
          <div class="columns">
            {columnsOf(groups).map((column, index) => (
              <div key={index} class="column">
                {column.map((group) => (
                  <Group key={group.id} group={group} values={config} status={status} />
                ))}
              </div>
            ))}
            {readings.length === 0 ? null : <Readings items={readings} values={config} />}
          </div>
          <div class="save-bar" role="region" aria-label={t('form.bar')}>
            <p class="said" role="status" data-form-word>
              {t('form.no_changes')}
            </p>
            <button type="button" class="button" data-discard disabled>
              {t('form.discard')}
            </button>
            <button type="submit" class="button primary" data-save disabled>
              {t('form.save')}
            </button>
          </div>
        </form>
      </sconce-settings>
      <p class="form-foot">
        <a class="button quiet" href="/setup/reset">
          {t('more.reset_link')}
        </a>
      </p>
    </Shell>
  );
};
