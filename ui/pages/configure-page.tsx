import type { StatusDocument } from '#machines/status.ts';
import { icons } from '../icons.ts';
import { onThisPage } from '../parts/on-this-page.ts';
import { Sentence } from '../parts/sentence.tsx';
import { Shell } from '../parts/shell.tsx';
import { StateMark } from '../parts/state-mark.tsx';
import { t, tOr } from '../strings/t.ts';

/** Something in a group that a person must do. */
interface GroupNeed {
  readonly detail: string;
  /** Where in the group it is done. */
  readonly href: string;
}

/** A group of settings, or the readings, as the list of them shows it. */
export interface GroupRow {
  /** The last part of its page's path. */
  readonly id: string;
  readonly title: string;
  /** Name of its icon; one that is not known is that of the settings. */
  readonly icon: string;
  /** Its settings with the ids of their fields, in the order of its page. */
  readonly fields: readonly { readonly key: string; readonly id: string; readonly label: string }[];
  /** Settings that differ from their defaults. */
  readonly differing: number;
  readonly needs: readonly GroupNeed[];
}

const pathOf = (id: string): string => `/configure/${id}`;

/** Drawn in place: no other page needs the icons of groups. */
const GroupIcon = ({ name }: { readonly name: string }) => (
  <svg class="icon" width={24} height={24} viewBox="0 0 24 24" aria-hidden="true">
    <path d={Object.entries(icons).find(([own]) => own === name)?.[1] ?? icons['mdi:tune']} />
  </svg>
);

/** Places of a group's page that links led to while all groups stood on this one. */
const anchorsOf = (id: string): readonly string[] => [
  `advanced-${id}`,
  ...(id === 'mqtt' ? ['confirm-broker', 'confirm-moved'] : []),
];

/** Names that fill the one line of a group; what does not fit is cut. */
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

/** What a person must do, each with the way to the setting in which it is done. */
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
 * Every setting as a link. Each has the id that its field has on the page of its group, so that a link from when all
 * groups stood on this page finds it, also without scripts.
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

/** Other names of settings, by which the search finds them as well. */
const otherNames = (groups: readonly GroupRow[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    groups.flatMap(({ fields }) =>
      fields.flatMap(({ key }) => {
        const words = tOr(`words.${key}`, '');
        return words === '' ? [] : [[key, words]];
      }),
    ),
  );

/** The field that finds settings; it works with scripts alone, so it is not seen without them. */
const Find = ({ groups }: { readonly groups: readonly GroupRow[] }) => (
  <sconce-find class="find" role="search" data-words={JSON.stringify(otherNames(groups))} hidden>
    <input class="input" type="search" aria-label={t('form.find')} placeholder={t('form.find')} autocomplete="off" />
    <p class="said" role="status"></p>
    <ul class="card found" hidden></ul>
  </sconce-find>
);

/** What the list of groups is drawn from. */
export interface ConfigurePageProps {
  readonly status: StatusDocument;
  /** In the order in which they are shown. */
  readonly groups: readonly GroupRow[];
}

/** `/configure`: the groups of settings, each with what differs from the defaults and what needs a person. */
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
