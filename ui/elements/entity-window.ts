import type { EntityList, EntityRow } from '#machines/entity-filter/documents.ts';
import { EntityPick } from '../parts/entity-row.tsx';

/** Rows read per request. */
const chunk = 200;
/** Rows drawn above and below the viewport, so that scrolling and the Tab key find them there. */
const beyond = 8;
/** Fallback row height, in CSS pixels. */
const usualHeight = 72;

/** Source of the rows, with what the page knows about them. */
export interface EntitySource {
  /** A range of rows; null if the panel did not return them. */
  readonly read: (offset: number, limit: number) => Promise<EntityList | null>;
  readonly isPicked: (id: string) => boolean;
  /** Called once the number of rows is known. */
  readonly counted: (total: number) => void;
}

function itemOf(index: number, total: number): HTMLLIElement {
  const item = document.createElement('li');
  item.setAttribute('aria-posinset', String(index + 1));
  item.setAttribute('aria-setsize', String(total));
  return item;
}

/** A virtual list: only visible rows are in the document, and rows are read as they scroll into view. */
export class EntityWindow {
  readonly #list: HTMLElement;
  readonly #source: EntitySource;
  readonly #items = new Map<number, HTMLLIElement>();
  #rows: (EntityRow | undefined)[] = [];
  readonly #asked = new Set<number>();
  #total = 0;
  #turn = 0;
  #frame: number | undefined;

  constructor(list: HTMLElement, source: EntitySource) {
    this.#list = list;
    this.#source = source;
    const draw = (): void => {
      if (this.#frame !== undefined) return;
      this.#frame = window.requestAnimationFrame(() => {
        this.#frame = undefined;
        this.draw();
      });
    };
    window.addEventListener('scroll', draw, { passive: true });
    window.addEventListener('resize', draw);
  }

  /** Reads the list again; the current rows stay until the first new ones arrive. */
  async reset(): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    const first = this.#range()[0];
    const offset = Math.floor(first / chunk) * chunk;
    const starts = offset === 0 ? [0] : [0, offset];
    const lists = await Promise.all(starts.map((start) => this.#source.read(start, chunk)));
    if (turn !== this.#turn) return;
    this.#rows = [];
    this.#asked.clear();
    this.#items.clear();
    this.#list.textContent = '';
    this.#list.classList.add('is-window');
    lists.forEach((list, at) => {
      if (list !== null) this.#take(starts[at] ?? 0, list);
    });
    this.draw();
  }

  /** Every id in the list, in order; null if the panel did not return them all. */
  async ids(): Promise<readonly string[] | null> {
    const turn = this.#turn;
    for (let offset = 0; offset < this.#total; offset += chunk) {
      // oxlint-disable-next-line no-await-in-loop -- the panel answers one after another
      if (this.#rows[offset] === undefined && (!(await this.#read(offset)) || turn !== this.#turn)) return null;
    }
    return this.#rows.flatMap((row) => (row === undefined ? [] : [row.entity_id]));
  }

  /** The row of an id; undefined if it has not been read. */
  row(id: string): EntityRow | undefined {
    return this.#rows.find((row) => row?.entity_id === id);
  }

  get total(): number {
    return this.#total;
  }

  /** Draws visible rows and removes those out of view. */
  draw(): void {
    const height = this.#height();
    const [from, to] = this.#range();
    for (const [index, item] of this.#items) {
      // Keep the focused row, or Tab would start again at the top.
      if ((index < from || index >= to) && !item.contains(document.activeElement)) {
        item.remove();
        this.#items.delete(index);
      }
    }
    for (let index = from; index < to; index += 1) this.#draw(index, height);
    for (let start = Math.floor(from / chunk) * chunk; start < to; start += chunk)
      if (this.#rows[start] === undefined && !this.#asked.has(start))
        void this.#read(start).then((read) => {
          if (read) this.draw();
        });
  }

  /** Redraws the current rows with their selection. */
  repick(): void {
    for (const box of Array.from(this.#list.querySelectorAll<HTMLInputElement>('input')))
      box.checked = this.#source.isPicked(box.value);
  }

  #height(): number {
    const height = Number.parseFloat(window.getComputedStyle(this.#list).getPropertyValue('--row'));
    return Number.isFinite(height) ? height : usualHeight;
  }

  #range(): readonly [number, number] {
    const height = this.#height();
    const top = this.#list.getBoundingClientRect().top;
    const from = Math.min(Math.max(0, Math.floor(-top / height) - beyond), Math.max(0, this.#total - 1));
    // Draw the first rows even while the list is below the viewport.
    const seen = Math.max(from, Math.ceil((window.innerHeight - top) / height));
    return [from, Math.min(this.#total, seen + beyond)];
  }

  #draw(index: number, height: number): void {
    const row = this.#rows[index] ?? null;
    const known = this.#items.get(index);
    if (known !== undefined && known.hasAttribute('data-waits') === (row === null)) {
      // Rotating the panel changes the visible rows.
      known.style.transform = `translateY(${index * height}px)`;
      return;
    }
    const item = known ?? itemOf(index, this.#total);
    item.toggleAttribute('data-waits', row === null);
    item.innerHTML = String(EntityPick({ row, picked: row !== null && this.#source.isPicked(row.entity_id) }));
    item.style.transform = `translateY(${index * height}px)`;
    if (known !== undefined) return;
    // In list order, which is also the Tab order.
    const after = Array.from(this.#items.keys())
      .filter((one) => one > index)
      .reduce((least, one) => Math.min(least, one), Infinity);
    this.#list.insertBefore(item, this.#items.get(after) ?? null);
    this.#items.set(index, item);
  }

  async #read(offset: number): Promise<boolean> {
    const turn = this.#turn;
    this.#asked.add(offset);
    const list = await this.#source.read(offset, chunk);
    if (turn !== this.#turn) return false;
    this.#asked.delete(offset);
    if (list === null) return false;
    this.#take(offset, list);
    return true;
  }

  #take(offset: number, { items, total }: EntityList): void {
    this.#total = total;
    items.forEach((row, at) => {
      this.#rows[offset + at] = row;
    });
    this.#list.style.height = `${total * this.#height()}px`;
    this.#source.counted(total);
  }
}
