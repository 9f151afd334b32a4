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

/** What a page is for, or why it is empty: no entities are listed for a dashboard that cannot be filtered. */
function lineOf(page: PageName, help: StringKey, status: StatusDocument): string {
  if (page !== 'entities' || status.entity_filter?.no_filter !== 'no-renderer') return t(help);
  return t(withoutDashboard(status) === null ? 'more.entities_other' : 'more.entities_none');
}

/** `/more`: the pages that do not fit in the navigation, a row each. */
export function MorePage({ status }: { readonly status: StatusDocument }) {
  const { length: count } = stepsToDo(status);
  return (
    <Shell status={status} page="more">
      <ul class={count === 0 ? 'rows' : 'rows is-long'}>
        {count === 0 ? null : <SetupRow count={count} />}
        {eachPage.map(({ page, path, title, place, exists }) =>
          place?.in !== 'more' || (exists === 'inspecting' && !status.inspecting) ? null : (
            <Row
              key={page}
              href={path}
              icon={place.icon}
              title={t(place.label ?? title)}
              line={lineOf(page, place.help, status)}
            />
          ),
        )}
      </ul>
    </Shell>
  );
}
