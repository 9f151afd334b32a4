import type { StatusDocument } from '#machines/status.ts';
import { Icon } from '../parts/icon.tsx';
import { morePages, Shell } from '../parts/shell.tsx';
import { t } from '../strings/t.ts';

/** `/more`: the pages that the navigation has no room for, each with a sentence. */
export const MorePage = ({ status }: { readonly status: StatusDocument }) => (
  <Shell status={status} page="more" title="page.more">
    <ul class="grid">
      {morePages.map((item) => (
        <li key={item.page} class="card stack">
          <a class="button quiet" href={item.href}>
            <Icon name={item.icon} />
            <span>{t(item.label)}</span>
          </a>
          <p class="hint">{t(item.help)}</p>
        </li>
      ))}
    </ul>
  </Shell>
);
