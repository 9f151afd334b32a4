import type { StatusDocument } from '#machines/status.ts';
import { eachPage, pageEntry, type PageName } from '../page-table.ts';
import { t } from '../strings/t.ts';
import { shownWhile } from './condition.ts';
import { Icon } from './icon.tsx';

/** The bar's page that represents a page without a place there; null if none does. */
function placeOf(page: PageName): PageName | null {
  const { place } = pageEntry(page);
  return place === undefined || place.in === 'bar' ? null : place.in;
}

/** Marks a navigation item if its page, or one it represents, is open. */
function currentOf(item: PageName, page: PageName): { readonly 'aria-current'?: 'page' | 'true' } {
  if (item === page) return { 'aria-current': 'page' };
  return item === placeOf(page) ? { 'aria-current': 'true' } : {};
}

/** The navigation: five places, one of which represents the rest. */
export const Navigation = ({ page, status }: { readonly page: PageName; readonly status: StatusDocument }) => (
  <nav class="nav" aria-label={t('nav.label')}>
    <ul>
      {eachPage.map(({ page: item, path, place, exists }) =>
        place?.in !== 'bar' ? null : (
          <li key={item} {...shownWhile(exists === 'inspecting' ? undefined : exists, status)}>
            <a href={path} {...currentOf(item, page)}>
              <span class="nav-pill">
                <Icon name={place.icon} />
              </span>
              <span class="nav-word">{t(place.label)}</span>
            </a>
          </li>
        ),
      )}
    </ul>
  </nav>
);
