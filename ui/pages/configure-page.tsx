import type { StatusDocument } from '#machines/status.ts';
import type { Child } from 'hono/jsx';
import { DashboardStorage } from '../parts/dashboard-storage.tsx';
import { Field, Reading } from '../parts/field.tsx';
import { groupItems, readingsOf, type FormGroup, type FormItem, type FormValues } from '../parts/form-item.ts';
import { Icon } from '../parts/icon.tsx';
import { Live } from '../parts/live.tsx';
import { Question } from '../parts/question.tsx';
import { Shell } from '../parts/shell.tsx';
import { t, tOr } from '../strings/t.ts';

const groupTitle = (id: string): string => tOr(`form.group.${id}`, t('form.group.other'));

interface Shown {
  readonly values: FormValues;
  readonly status: StatusDocument;
}

const Fields = ({ items, values, status }: Shown & { readonly items: readonly FormItem[] }) => (
  <div class="fields">
    {items.map((item) => (
      <Field key={item.key} item={item} values={values} status={status} />
    ))}
  </div>
);

/** Groups that are set once, or never: a row each until they are wanted. */
const folded: ReadonlySet<string> = new Set(['screen', 'sound', 'sensors', 'system', 'diagnostics']);

/** A card of one row, which names what is in it and opens to it. */
const Folded = ({
  id,
  title,
  line,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly line: string;
  readonly children: Child;
}) => (
  <details class="card fold advanced" id={`group-${id}`}>
    <summary>
      <span class="fold-title">
        <h2>{title}</h2>
        <span class="hint">{line}</span>
      </span>
    </summary>
    <div class="fold-body">{children}</div>
  </details>
);

const FoldedGroup = ({ group, values, status }: Shown & { readonly group: FormGroup }) => (
  <Folded id={group.id} title={groupTitle(group.id)} line={group.basic.map(({ label }) => label).join(', ')}>
    <Fields items={[...group.basic, ...group.advanced]} values={values} status={status} />
  </Folded>
);

const Group = ({ group, values, status }: Shown & { readonly group: FormGroup }) => (
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
    <Fields items={group.basic} values={values} status={status} />
    {group.advanced.length === 0 ? null : (
      <details class="fold advanced" id={`advanced-${group.id}`}>
        <summary>
          <span class="fold-title">{t('form.advanced', { count: group.advanced.length })}</span>
        </summary>
        <div class="fold-body">
          <Fields items={group.advanced} values={values} status={status} />
        </div>
      </details>
    )}
    {group.id === 'dashboard' ? <DashboardStorage status={status} /> : null}
  </section>
);

const Readings = ({ items, values }: { readonly items: readonly FormItem[]; readonly values: FormValues }) => (
  <Folded id="readings" title={t('form.readings')} line={t('form.readings_help', { count: items.length })}>
    <div class="fields">
      {items.map((item) => (
        <Reading key={item.key} item={item} shown={values.ha_expose[item.key] === true} />
      ))}
    </div>
  </Folded>
);

/** The field that finds settings; it works with scripts alone, so it is not seen without them. */
const Find = () => (
  <sconce-find class="find" role="search" hidden>
    <input class="input" type="search" aria-label={t('form.find')} placeholder={t('form.find')} autocomplete="off" />
    <p class="said" role="status"></p>
  </sconce-find>
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
    <Shell status={status} page="configure" ofProfile>
      <p class="lead">{t(descriptors.length === 0 ? 'form.empty' : 'form.intro')}</p>
      <Find />
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
          <div class="jump-bar">
            <nav class="jump" aria-label={t('form.sections')}>
              {groups.map((group) => (
                <a key={group.id} href={`#group-${group.id}`}>
                  {groupTitle(group.id)}
                </a>
              ))}
              {readings.length === 0 ? null : <a href="#group-readings">{t('form.readings')}</a>}
            </nav>
          </div>
          <div class="sections">
            {groups.map((group) =>
              folded.has(group.id) ? (
                <FoldedGroup key={group.id} group={group} values={config} status={status} />
              ) : (
                <Group key={group.id} group={group} values={config} status={status} />
              ),
            )}
            {readings.length === 0 ? null : <Readings items={readings} values={config} />}
          </div>
          <a class="button show-all" href="#content">
            {t('form.show_all')}
          </a>
          <SaveBar />
        </form>
        <Question id="new-device" />
      </sconce-settings>
      <p class="form-foot">
        <a class="button quiet" href="/setup/reset">
          {t('more.reset_link')}
        </a>
      </p>
    </Shell>
  );
};
