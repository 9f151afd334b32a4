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

/** The steps in which a person chooses, with what their buttons carry; the page carries what is chosen, by the step. */
const choices = { home_dashboard: 'path', entity_filter: 'filter' } as const;

/** A step in which a person chooses. */
type Choice = keyof typeof choices;

const isChoice = (stage: string): stage is Choice => stage in choices;

/** Marks what is chosen in a step; before anybody chose there, nothing is. */
export const markChosen = (page: HTMLElement, stage: string, isDone: boolean): void => {
  if (!isChoice(stage)) return;
  const name = choices[stage];
  for (const button of Array.from(page.querySelectorAll<HTMLElement>(`[data-${name}]`)))
    button.setAttribute('aria-pressed', String(isDone && button.dataset[name] === page.dataset[stage]));
};

/** Keeps in `page` what was chosen in a step, once the panel has it. */
export const keepChosen = (page: HTMLElement, stage: Choice, value: string): void => {
  page.dataset[stage] = value;
  markChosen(page, stage, true);
};
