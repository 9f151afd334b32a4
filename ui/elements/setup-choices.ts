import { t } from '../strings/t.ts';
import { ask, send, type Sent } from './send.ts';

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  // Checked to be an object on the same line; JSON has no other kinds with fields.
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Home Assistant's default dashboard has no title; its own pages use this one. */
const overviewOr = (path: string, title: string): string =>
  path === '/lovelace' && (title === '' || title === 'lovelace') ? t('setup.home_dashboard.overview') : title;

/** Draws a button for each of Home Assistant's dashboards into `place`; its default dashboard is first. */
function drawDashboards(place: HTMLElement, items: readonly unknown[]): void {
  const rows = [
    { path: '', title: t('setup.home_dashboard.start') },
    ...items.map(record).map(({ path, title }) => ({ path: text(path), title: overviewOr(text(path), text(title)) })),
  ];
  // Names and paths come from Home Assistant, so they are inserted as text.
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

/** The steps with a choice, and the attribute of their buttons; the page carries each choice under the step's name. */
const buttons = { home_dashboard: 'path', entity_filter: 'filter' } as const;

const settings = { home_dashboard: 'home_dashboard', entity_filter: 'dashboard_entity_learning' } as const;

export type Choice = keyof typeof buttons;

const isChoice = (stage: string): stage is Choice => stage in buttons;

/** The setup steps in which a person picks one of several buttons. */
export class SetupChoices {
  readonly #page: HTMLElement;
  #isListed = false;

  /** `page` carries the choices: `data-home_dashboard` and `data-entity_filter`. */
  constructor(page: HTMLElement) {
    this.#page = page;
  }

  /** Lists Home Assistant's dashboards once, reporting progress to `say`; its default dashboard is first. */
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

  /** Marks the choice of a step; nothing before a choice was made. */
  mark(stage: string, isDone: boolean): void {
    if (!isChoice(stage)) return;
    const name = buttons[stage];
    for (const button of Array.from(this.#page.querySelectorAll<HTMLElement>(`[data-${name}]`)))
      button.setAttribute('aria-pressed', String(isDone && button.dataset[name] === this.#page.dataset[stage]));
  }

  /** Saves the choice of a step and marks it. */
  async save(stage: Choice, value: string | boolean): Promise<Sent> {
    const { return: minutes = '' } = this.#page.dataset;
    const isFirst = stage === 'home_dashboard' && minutes !== '';
    const saved = await send('/api/v1/config', {
      [settings[stage]]: value,
      ...(isFirst && { dashboard_idle_return_min: Number(minutes) }),
    });
    if (!saved.ok) return saved;
    if (isFirst) {
      // The step itself says it from now on, and a later choice changes nothing about it.
      this.#page.dataset['return'] = '';
      this.#page.querySelector('[data-returns]')?.remove();
    }
    this.#page.dataset[stage] = String(value);
    this.mark(stage, true);
    return saved;
  }
}
