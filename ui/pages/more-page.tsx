import type { Child } from 'hono/jsx';
import type { StatusDocument } from '#machines/status.ts';
import type { IconName } from '../icons.ts';
import { eachPage, type PageName } from '../page-table.ts';
import { withoutDashboard } from '../parts/entities-words.ts';
import { Icon } from '../parts/icon.tsx';
import { stepsToDo } from '../parts/setup-steps.tsx';
import { Shell } from '../parts/shell.tsx';
import { t, type StringKey } from '../strings/t.ts';

interface RowProps {
  readonly href: string | undefined;
  readonly icon: IconName;
  readonly title: string;
  readonly line: string;
}

const Row = ({ href, icon, title, line }: RowProps) => (
  <li>
    <a class="row" href={href}>
      <Icon name={icon} />
      <span class="row-words">
        <span class="row-title">{title}</span>
        <span class="row-line">{line}</span>
      </span>
    </a>
  </li>
);

/** The link to the guided setup while a step is left, including steps put off. */
const SetupRow = ({ count }: { readonly count: number }) => (
  <Row href="/setup" icon="mdi:progress-clock" title={t('page.setup')} line={t('more.setup', { count })} />
);

/** What a page is for, or why it is empty: with a dashboard that cannot be filtered. */
function lineOf(page: PageName, help: StringKey, status: StatusDocument): string {
  if (page !== 'entities' || status.entity_filter?.no_filter !== 'no-renderer') return t(help);
  return t(withoutDashboard(status) === null ? 'more.entities_other' : 'more.entities_none');
}

/** The pages of one group that this panel has. */
const pagesOf = (status: StatusDocument, forProgrammers: boolean) =>
  eachPage.flatMap(({ page, path, title, place, exists }) =>
    place?.in !== 'more' ||
    (place.forProgrammers === true) !== forProgrammers ||
    (exists === 'inspecting' && !status.inspecting)
      ? []
      : [{ page, path, title, place }],
  );

interface GroupProps {
  readonly status: StatusDocument;
  readonly forProgrammers: boolean;
  readonly children?: Child;
}

/** A titled list of pages; `children` are rows before them. */
function Group({ status, forProgrammers, children }: GroupProps) {
  const id = forProgrammers ? 'programmers' : 'yours';
  return (
    <section aria-labelledby={id}>
      <h2 id={id} class="more-title">
        {t(`more.${id}`)}
      </h2>
      <ul class="rows">
        {children}
        {pagesOf(status, forProgrammers).map(({ page, path, title, place }) => (
          <Row
            key={page}
            href={path}
            icon={place.icon}
            title={t(place.label ?? title)}
            line={lineOf(page, place.help, status)}
          />
        ))}
      </ul>
    </section>
  );
}

/** `/more`: the pages that do not fit in the navigation, a row each, and last those for programmers. */
export function MorePage({ status }: { readonly status: StatusDocument }) {
  const { length: count } = stepsToDo(status);
  return (
    <Shell status={status} page="more">
      <div class="more">
        <Group status={status} forProgrammers={false}>
          {count === 0 ? null : <SetupRow count={count} />}
        </Group>
        <Group status={status} forProgrammers={true} />
      </div>
    </Shell>
  );
}
