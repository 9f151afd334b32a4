import { t } from '../strings/t.ts';
import { ask, send, type Sent } from './send.ts';

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  // Checked to be an object on the same line; JSON has no other kinds with fields.
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Home Assistant's own dashboard has no title of its own; its pages call it by this one. */
const overviewOr = (path: string, title: string): string =>
  path === '/lovelace' && (title === '' || title === 'lovelace') ? t('setup.home_dashboard.overview') : title;

/** Draws the dashboards that Home Assistant listed into `place`, each a button; its start page is the first. */
function drawDashboards(place: HTMLElement, items: readonly unknown[]): void {
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
}

/** The steps in which a person chooses, with what their buttons carry; the page carries what is chosen, by the step. */
const buttons = { home_dashboard: 'path', entity_filter: 'filter' } as const;

/** The settings that they choose. */
const settings = { home_dashboard: 'home_dashboard', entity_filter: 'dashboard_entity_learning' } as const;

/** A step in which a person chooses. */
export type Choice = keyof typeof buttons;

const isChoice = (stage: string): stage is Choice => stage in buttons;

/** The steps of the setup in which a person chooses one of several buttons. */
export class SetupChoices {
  readonly #page: HTMLElement;
  #isListed = false;

  /** `page` carries what is chosen: `data-home_dashboard` and `data-entity_filter`. */
  constructor(page: HTMLElement) {
    this.#page = page;
  }

  /** Lists the dashboards of Home Assistant once, and tells `say` how far that is; its start page is the first. */
  async offer(isDone: boolean, announceChoice: (words: string) => void): Promise<void> {
    const place = this.#page.querySelector<HTMLElement>('[data-dashboards]');
    if (place === null || this.#isListed) return;
    this.#isListed = true;
    announceChoice(t('setup.home_dashboard.reading'));
    const answer = await ask('/api/v1/config/home-dashboards');
    const items = answer.ok && answer.body['queried'] === true ? answer.body['items'] : null;
    this.#isListed = Array.isArray(items);
    announceChoice(Array.isArray(items) ? '' : t('setup.home_dashboard.unread'));
    drawDashboards(place, Array.isArray(items) ? items : []);
    this.mark('home_dashboard', isDone);
  }

  /** Marks what is chosen in a step; before anybody chose there, nothing is. */
  mark(stage: string, isDone: boolean): void {
    if (!isChoice(stage)) return;
    const name = buttons[stage];
    for (const button of Array.from(this.#page.querySelectorAll<HTMLElement>(`[data-${name}]`)))
      button.setAttribute('aria-pressed', String(isDone && button.dataset[name] === this.#page.dataset[stage]));
  }

  /** Saves what was chosen in a step, and marks it. */
  async save(stage: Choice, value: string | boolean): Promise<Sent> {
    const saved = await send('/api/v1/config', { [settings[stage]]: value });
    if (!saved.ok) return saved;
    this.#page.dataset[stage] = String(value);
    this.mark(stage, true);
    return saved;
  }
}
