import { t } from '../strings/t.ts';
import { ask } from './send.ts';

/** A dashboard to choose: its path as the setting takes it, "" for the default one, and its title. */
export interface OfferedDashboard {
  readonly path: string;
  readonly title: string;
}

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  // Checked to be an object on the same line; JSON has no other kinds with fields.
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

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
        ...items.map(record).map(({ path, title }) => ({
          path: text(path),
          title: overviewOr(text(path), text(title)) || text(path),
        })),
      ]
    : null;
}
