import type { DashboardTitle, EntityFilterContext } from './events.ts';

/** Most dashboards whose titles are kept; a sidebar has some dozens. */
const MOST_TITLES = 500;

/** A path in words, `kitchen-panel` as "Kitchen panel". */
function wordsOf(path: string): string {
  const words = path.replace(/[-_]+/g, ' ').trim();
  return words === '' ? path : words.charAt(0).toUpperCase() + words.slice(1);
}

/** Home Assistant names its own dashboards by their path, and translates that in its page. */
const isOwnName = ({ dashboard, title }: DashboardTitle): boolean => title === '' || title === dashboard;

/**
 * The dashboards as Home Assistant's sidebar sorts them for a user who has not: those of the house by title. `listed`
 * is in any order; more than 500 are left out.
 */
export const inSidebarOrder = (listed: readonly DashboardTitle[]): readonly DashboardTitle[] =>
  listed.slice(0, MOST_TITLES).toSorted((a, b) => a.title.localeCompare(b.title));

/**
 * The title of a dashboard: as in Home Assistant's sidebar, or its path in words where that has none. Of several with
 * the same title each also shows its path.
 */
export function titleOf(titles: readonly DashboardTitle[], dashboard: string): string {
  const own = titles.find((one) => one.dashboard === dashboard);
  if (own === undefined || isOwnName(own)) return wordsOf(dashboard);
  const isShared = titles.some((one) => one.title === own.title && one.dashboard !== dashboard);
  return isShared ? `${own.title} (${dashboard})` : own.title;
}

/** Dashboards in the order in which pages list them: home, then as in the sidebar, then those that are not in it. */
export function inPageOrder<T extends { readonly dashboard: string }>(
  { home, titles }: Pick<EntityFilterContext, 'home' | 'titles'>,
  dashboards: readonly T[],
): readonly T[] {
  const rank = ({ dashboard }: T): number => {
    if (dashboard === home) return -1;
    const index = titles.findIndex((one) => one.dashboard === dashboard);
    return index === -1 ? titles.length : index;
  };
  return dashboards.toSorted((a, b) => rank(a) - rank(b) || a.dashboard.localeCompare(b.dashboard));
}
