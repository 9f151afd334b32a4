import { whyWords } from '../parts/entities-words.ts';
import { t } from '../strings/t.ts';
import { announceIn } from './announce.ts';
import type { EntityWindow } from './entity-window.ts';

/** How long a decision's message stays, in milliseconds. */
const announcedMs = 6_000;

/** The selected entities of the list, and the bar with what can be decided about them. */
export class EntitySelection {
  readonly #page: HTMLElement;
  readonly #list: () => EntityWindow | undefined;
  readonly #picked = new Set<string>();
  #timer: number | undefined;

  /** `list` is the list as it is now; there is none before the first scan. */
  constructor(page: HTMLElement, list: () => EntityWindow | undefined) {
    this.#page = page;
    this.#list = list;
  }

  get ids(): readonly string[] {
    return Array.from(this.#picked);
  }

  has(id: string): boolean {
    return this.#picked.has(id);
  }

  toggle(id: string, isPicked: boolean): void {
    if (isPicked) this.#picked.add(id);
    else this.#picked.delete(id);
    this.#show();
  }

  /** Selects these and no others. */
  replace(ids: readonly string[]): void {
    this.#picked.clear();
    for (const id of ids) this.#picked.add(id);
    this.#list()?.repick();
    this.#show();
  }

  /** Selects the whole list, or nothing if all of it is selected. */
  async toggleAll(): Promise<void> {
    const list = this.#list();
    if (list === undefined) return;
    const all = this.#picked.size > 0 && this.#picked.size === list.total;
    this.replace(all ? [] : ((await list.ids()) ?? []));
  }

  /** Says in the bar why the decision was refused; the selection stays. */
  refuse(reason: string): void {
    announceIn(this.#element('[data-picked]'), t('controls.failed', { reason }));
  }

  /** Briefly shows the decision in place of its buttons, since the list may be screens long. */
  confirm(words: string): void {
    const bar = this.#element('[data-bar]');
    if (bar === null) return;
    bar.classList.add('is-told');
    bar.hidden = false;
    announceIn(this.#element('[data-picked]'), words);
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      if (bar.classList.contains('is-told')) bar.hidden = true;
    }, announcedMs);
  }

  #element(selector: string): HTMLElement | null {
    return this.#page.querySelector<HTMLElement>(selector);
  }

  #show(): void {
    const count = this.#picked.size;
    const bar = this.#element('[data-bar]');
    bar?.classList.remove('is-told');
    if (bar !== null) bar.hidden = count === 0;
    this.#showReason();
    announceIn(this.#element('[data-picked]'), t('entities.picked', { count }));
    const all = count > 0 && count === this.#list()?.total;
    announceIn(this.#element('[data-entities="all"]'), t(all ? 'entities.pick_none' : 'entities.pick_all'));
  }

  /** With a single selected entity, lists every reason, which may not fit in its row. */
  #showReason(): void {
    const place = this.#element('[data-why]');
    const [id] = this.#picked;
    const row = this.#picked.size === 1 && id !== undefined ? this.#list()?.row(id) : undefined;
    if (place === null) return;
    const words = this.#element('.entity-list input:checked ~ span:last-child');
    place.hidden = row === undefined || (words !== null && words.scrollHeight <= words.clientHeight + 1);
    place.textContent =
      row === undefined ? '' : t('entities.why_row', { id: row.name ?? row.entity_id, why: whyWords(row) });
  }
}
