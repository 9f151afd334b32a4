import { t } from '../strings/t.ts';
import { fieldsOf, textOf } from './json-fields.ts';
import { ask } from './send.ts';

/** A dashboard to choose: its path as the setting takes it, "" for the default one, and its title. */
export interface OfferedDashboard {
  readonly path: string;
  readonly title: string;
}

/** Home Assistant's default dashboard has no title; its own pages use this one. */
const overviewOr = (path: string, title: string): string =>
  path === '/lovelace' && (title === '' || title === 'lovelace') ? t('setup.home_dashboard.overview') : title;

/** The one that Home Assistant opens for its user. */
export const defaultDashboard = (): OfferedDashboard => ({ path: '', title: t('setup.home_dashboard.start') });

/** The dashboards of Home Assistant, the default one first; null if they cannot be read now. */
export async function askDashboards(): Promise<readonly OfferedDashboard[] | null> {
  const answer = await ask('/api/v1/config/home-dashboards');
  const items = answer.ok && answer.body['queried'] === true ? answer.body['items'] : null;
  return Array.isArray(items)
    ? [
        defaultDashboard(),
        ...items.map(fieldsOf).map(({ path, title }) => ({
          path: textOf(path),
          title: overviewOr(textOf(path), textOf(title)) || textOf(path),
        })),
      ]
    : null;
}
