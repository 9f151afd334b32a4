import { t } from '../strings/t.ts';

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  // Checked to be an object on the same line; JSON has no other kinds with fields.
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Home Assistant's own dashboard has no title of its own; its pages call it by this one. */
const overviewOr = (path: string, title: string): string =>
  path === '/lovelace' && (title === '' || title === 'lovelace') ? t('setup.home_dashboard.overview') : title;

/** Draws the dashboards that Home Assistant listed into `place`, each a button; its start page is the first. */
export const drawDashboards = (place: HTMLElement, items: readonly unknown[]): void => {
  const rows = [
    { path: '', title: t('setup.home_dashboard.start') },
    ...items.map(record).map(({ path, title }) => ({ path: text(path), title: overviewOr(text(path), text(title)) })),
  ];
  // Names and paths come from Home Assistant: they are text.
  place.textContent = '';
  for (const { path, title } of rows) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'button setup-choice';
    button.dataset['path'] = path;
    const name = document.createElement('b');
    name.textContent = title === '' ? path : title;
    const help = document.createElement('span');
    help.className = 'hint';
    help.textContent = path === '' ? t('setup.home_dashboard.start_help') : path;
    button.appendChild(name);
    button.appendChild(help);
    place.appendChild(button);
  }
};
