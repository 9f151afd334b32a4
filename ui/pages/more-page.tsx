import type { StatusDocument } from '#machines/status.ts';
import { Icon } from '../parts/icon.tsx';
import { morePages } from '../parts/navigation.tsx';
import { Shell } from '../parts/shell.tsx';
import { t } from '../strings/t.ts';

/** `/more`: the pages that the navigation has no room for, a row each. */
export const MorePage = ({ status }: { readonly status: StatusDocument }) => (
  <Shell status={status} page="more" title="page.more" styles={['more']}>
    <ul class="rows">
      {morePages
        .filter(({ inspecting }) => inspecting === undefined || status.inspecting)
        .map((item) => (
          <li key={item.page}>
            <a class="row" href={item.href}>
              <Icon name={item.icon} />
              <span class="row-words">
                <span class="row-title">{t(item.label)}</span>
                <span class="row-line">{t(item.help)}</span>
              </span>
            </a>
          </li>
        ))}
    </ul>
  </Shell>
);
