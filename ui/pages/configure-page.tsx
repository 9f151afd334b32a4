import type { StatusDocument } from '#machines/status.ts';
import { icons } from '../icons.ts';
import { onThisPage } from '../parts/on-this-page.ts';
import { Sentence } from '../parts/sentence.tsx';
import { Shell } from '../parts/shell.tsx';
import { StateMark } from '../parts/state-mark.tsx';
import { t, tOr } from '../strings/t.ts';

/** A task in a group that needs a person. */
interface GroupNeed {
  readonly detail: string;
  /** Link to the setting where it is done. */
  readonly href: string;
}

/** A group of settings, or the readings, as listed. */
export interface GroupRow {
  /** The last part of its page's path. */
  readonly id: string;
  readonly title: string;
  /** Name of its icon; unknown names get the settings icon. */
  readonly icon: string;
  /** Its settings with their field ids, in page order. */
  readonly fields: readonly { readonly key: string; readonly id: string; readonly label: string }[];
  /** Number of settings that differ from their defaults. */
  readonly differing: number;
  readonly needs: readonly GroupNeed[];
}

const pathOf = (id: string): string => `/configure/${id}`;

/** Inlined: no other page needs the icons of groups. */
const GroupIcon = ({ name }: { readonly name: string }) => (
  <svg class="icon" width={24} height={24} viewBox="0 0 24 24" aria-hidden="true">
    <path d={Object.entries(icons).find(([own]) => own === name)?.[1] ?? icons['mdi:tune']} />
  </svg>
);

/** Places on a group's page that old links still name on this one, from when all groups were here. */
const anchorsOf = (id: string): readonly string[] => [
  `advanced-${id}`,
  ...(id === 'mqtt' ? ['confirm-broker', 'confirm-moved'] : []),
];

/** Names that fill the one line of a group; the rest is cut off. */
const namesInLine = 5;

const lineOf = (fields: GroupRow['fields']): string =>
  fields
    .slice(0, namesInLine)
    .map(({ label }) => label)
    .join(', ');

const Group = ({ group: { id, title, icon, fields, differing, needs } }: { readonly group: GroupRow }) => (
  <li class="card group" id={`group-${id}`}>
    {anchorsOf(id).map((anchor) => (
      <span key={anchor} id={anchor}></span>
    ))}
    <a class="group-link" href={pathOf(id)}>
      <GroupIcon name={icon} />
      <div class="group-words">
        <div class="group-title">
          <h2>{title}</h2>
          {needs.length === 0 ? null : <StateMark state="needs_you" />}
        </div>
        <p class="hint group-line">{lineOf(fields)}</p>
        {differing === 0 ? null : <p class="hint">{t('form.differing', { count: differing })}</p>}
      </div>
    </a>
  </li>
);

/** Who may do what, which is no setting: nothing but a person at the panel switches it. */
const SecurityRow = ({ security }: { readonly security: StatusDocument['security'] }) => (
  <li class="card group">
    <a class="group-link" href="/security">
      <GroupIcon name="mdi:shield-outline" />
      <div class="group-words">
        <div class="group-title">
          <h2>{t('page.security')}</h2>
        </div>
        <p class="hint group-line">{t('configure.security')}</p>
        {security.mode === 'hardened' ? <p class="hint">{t('security.mode.hardened')}</p> : null}
      </div>
    </a>
  </li>
);

/** Tasks for a person, each with a link to its setting. */
const Needs = ({ groups }: { readonly groups: readonly GroupRow[] }) => (
  <ul class="needs">
    {groups.flatMap(({ needs, title }) =>
      needs.map(({ detail, href }) => (
        <li key={href} class="card need">
          <div class="need-words">
            <div class="group-title">
              <h2>{title}</h2>
              <StateMark state="needs_you" />
            </div>
            <p>
              <Sentence text={onThisPage(detail)} />
            </p>
          </div>
          <a class="button primary" href={href}>
            {t('summary.field')}
          </a>
        </li>
      )),
    )}
  </ul>
);

/**
 * Every setting as a link. Each has the id of its field on the group's page, so that old links, from when all groups
 * were on this page, find it without scripts too.
 */
const ByName = ({ groups }: { readonly groups: readonly GroupRow[] }) => (
  <details class="card fold by-name">
    <summary>
      <h2 class="fold-title">{t('form.all_settings')}</h2>
    </summary>
    <div class="fold-body">
      {groups.map(({ id, title, fields }) => (
        <div key={id}>
          <h3>{title}</h3>
          <ul>
            {fields.map((field) => (
              <li key={field.id}>
                <a id={field.id} href={`${pathOf(id)}#${field.id}`}>
                  {field.label}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  </details>
);

/** Other names of settings for the search. */
const otherNames = (groups: readonly GroupRow[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    groups.flatMap(({ fields }) =>
      fields.flatMap(({ key }) => {
        const words = tOr(`words.${key}`, '');
        return words === '' ? [] : [[key, words]];
      }),
    ),
  );

/** The search field; it needs scripts, so it is hidden without them. */
const Find = ({ groups }: { readonly groups: readonly GroupRow[] }) => (
  <sconce-find class="find" role="search" data-words={JSON.stringify(otherNames(groups))} hidden>
    <input class="input" type="search" aria-label={t('form.find')} placeholder={t('form.find')} autocomplete="off" />
    <p class="said" role="status"></p>
    <ul class="card found" hidden></ul>
  </sconce-find>
);

export interface ConfigurePageProps {
  readonly status: StatusDocument;
  /** In display order. */
  readonly groups: readonly GroupRow[];
}

/** `/configure`: the groups of settings, each with its changed settings and what needs a person. */
export const ConfigurePage = ({ status, groups }: ConfigurePageProps) => (
  <Shell status={status} page="configure" ofProfile>
    {groups.length === 0 ? (
      <p class="lead">{t('form.empty')}</p>
    ) : (
      <>
        <Find groups={groups} />
        <div data-groups>
          {groups.every(({ needs }) => needs.length === 0) ? null : <Needs groups={groups} />}
          <ul class="groups">
            {groups.map((group) => (
              <Group key={group.id} group={group} />
            ))}
            <SecurityRow security={status.security} />
          </ul>
          <ByName groups={groups} />
        </div>
      </>
    )}
    <p class="form-foot">
      <a class="button quiet" href="/setup/reset">
        {t('more.reset_link')}
      </a>
    </p>
  </Shell>
);
