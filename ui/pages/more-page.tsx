import type { StatusDocument } from '#machines/status.ts';
import { withoutDashboard } from '../parts/entities-words.ts';
import { Icon } from '../parts/icon.tsx';
import { type MoreItem, morePages } from '../parts/navigation.tsx';
import { stepsToDo } from '../parts/setup-steps.tsx';
import { Shell } from '../parts/shell.tsx';
import { t } from '../strings/t.ts';

const Row = ({
  item: { href, icon, label },
  line,
}: {
  readonly item: Omit<MoreItem, 'help'>;
  readonly line: string;
}) => (
  <li>
    <a class="row" href={href}>
      <Icon name={icon} />
      <span class="row-words">
        <span class="row-title">{t(label)}</span>
        <span class="row-line">{line}</span>
      </span>
    </a>
  </li>
);

/** The way to the guided setup while a step of it is left, also one that was put off. */
const SetupRow = ({ count }: { readonly count: number }) => (
  <Row
    item={{ page: 'setup', href: '/setup', icon: 'progress-clock', label: 'page.setup' }}
    line={t('more.setup', { count })}
  />
);

/** What a page is for, or why there is nothing on it: of a dashboard that cannot be filtered no entities are listed. */
const lineOf = ({ page, help }: MoreItem, status: StatusDocument): string => {
  if (page !== 'entities' || status.entity_filter?.no_filter !== 'no-renderer') return t(help);
  return t(withoutDashboard(status) === null ? 'more.entities_other' : 'more.entities_none');
};

/** `/more`: the pages that the navigation has no room for, a row each. */
export const MorePage = ({ status }: { readonly status: StatusDocument }) => {
  const { length: count } = stepsToDo(status);
  return (
    <Shell status={status} page="more" title="page.more" styles={['more']}>
      <ul class={count === 0 ? 'rows' : 'rows is-long'}>
        {count === 0 ? null : <SetupRow count={count} />}
        {morePages
          .filter(({ inspecting }) => inspecting === undefined || status.inspecting)
          .map((item) => (
            <Row key={item.page} item={item} line={lineOf(item, status)} />
          ))}
      </ul>
    </Shell>
  );
};
