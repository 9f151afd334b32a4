import { t } from '../strings/t.ts';
import type { AskedBeside } from './approval.ts';
import { askDashboards, defaultDashboard, type OfferedDashboard } from './dashboards.ts';
import { send, type Sent } from './send.ts';

/** Draws a button for each dashboard into `place`. */
function drawDashboards(place: HTMLElement, rows: readonly OfferedDashboard[]): void {
  // Names and paths come from Home Assistant, so they are inserted as text.
  place.textContent = '';
  for (const { path, title } of rows) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'button setup-choice';
    button.dataset['path'] = path;
    const name = document.createElement('b');
    name.textContent = title;
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
    const rows = await askDashboards();
    this.#isListed = rows !== null;
    announceChoice(rows === null ? t('setup.home_dashboard.unread') : '');
    drawDashboards(place, rows ?? [defaultDashboard()]);
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
  async save(stage: Choice, value: string | boolean, beside: AskedBeside): Promise<Sent> {
    const { return: minutes = '' } = this.#page.dataset;
    const isFirst = stage === 'home_dashboard' && minutes !== '';
    const body = { [settings[stage]]: value, ...(isFirst && { dashboard_idle_return_min: Number(minutes) }) };
    const saved = await send('/api/v1/config', body, { beside });
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
