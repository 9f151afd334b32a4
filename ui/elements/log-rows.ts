import type { StoredEntry, LogLineLevel } from '#machines/live-log/events.ts';
import { LogBetween, LogDay, logDayWords, LogLine } from '../parts/log-line.tsx';
import { t } from '../strings/t.ts';
import { dayOf, exact } from '../strings/times.ts';
import { mark, unmark } from './highlight.ts';

/** Maximum entries on the page; the oldest is dropped. */
const mostEntries = 1000;

const order: readonly LogLineLevel[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

/** Which lines are shown. */
export interface Sieve {
  /** The minimum level. */
  readonly level: string;
  /** Search text, in lower case; '' matches any line. */
  readonly words: string;
}

interface Drawn {
  readonly entry: StoredEntry;
  readonly item: HTMLElement;
}

function elementOf(drawn: unknown): HTMLElement {
  const template = document.createElement('template');
  template.innerHTML = String(drawn);
  const item = template.content.firstElementChild;
  return item instanceof HTMLElement ? item : document.createElement('li');
}

const itemOf = (entry: StoredEntry): HTMLElement =>
  elementOf(entry.kind === 'line' ? LogLine({ line: entry }) : LogBetween({ entry }));

function textOf(entry: StoredEntry, item: HTMLElement): string {
  if (entry.kind !== 'line') return `${exact(entry.at)} ----- ${(item.textContent ?? '').trim()}`;
  const { at, level, part, text, facts } = entry;
  return [exact(at), t(`logs.mark.${level}`), ...(part === '' ? [] : [`${part}:`]), text, facts].join(' ').trim();
}

const says = (element: Element | null, words: string): boolean =>
  (element?.textContent ?? '').toLowerCase().includes(words);

/** Opens a line's details while the search text occurs only there. */
function expand(item: HTMLElement, words: string): void {
  const fold = item.querySelector('details');
  if (fold === null) return;
  const isFound =
    words !== '' && says(item.querySelector('.log-facts'), words) && !says(item.querySelector('.log-text'), words);
  if (isFound && !fold.open) {
    fold.open = true;
    fold.dataset['found'] = '';
  } else if (!isFound && fold.dataset['found'] !== undefined) {
    fold.open = false;
    delete fold.dataset['found'];
  }
}

/** The log's entries, newest first, grouped by day. */
export class LogRows {
  readonly #list: HTMLElement;
  #drawn: Drawn[] = [];
  /** The topmost day. */
  #day: { readonly at: number; readonly item: HTMLElement } | undefined;
  #sieve: Sieve = { level: 'trace', words: '' };

  constructor(list: HTMLElement) {
    this.#list = list;
  }

  /** Removes everything, including what the server drew. */
  clear(): void {
    this.#list.textContent = '';
    this.#drawn = [];
    this.#day = undefined;
  }

  /** Adds entries at the top; `entries` are oldest first. */
  add(entries: readonly StoredEntry[]): void {
    for (const entry of entries) {
      const item = itemOf(entry);
      this.#sift({ entry, item });
      this.#drawn.unshift({ entry, item });
      this.#dayOf(entry.at).after(item);
    }
    for (const { item } of this.#drawn.splice(mostEntries)) item.remove();
    this.#siftBetween();
  }

  #dayOf(at: number): HTMLElement {
    if (this.#day !== undefined && dayOf(this.#day.at) === dayOf(at)) return this.#day.item;
    const now = Date.now();
    // The day may have changed since.
    if (this.#day !== undefined) this.#day.item.textContent = logDayWords(this.#day.at, now);
    const item = elementOf(LogDay({ at, now }));
    this.#list.prepend(item);
    this.#day = { at, item };
    return item;
  }

  /** Shows only the lines that match. */
  sift(sieve: Sieve): void {
    this.#sieve = sieve;
    for (const drawn of this.#drawn) this.#sift(drawn);
    this.#siftBetween();
  }

  #sift({ entry, item }: Drawn): void {
    const { level, words } = this.#sieve;
    unmark(item);
    if (entry.kind === 'line')
      item.hidden = order.indexOf(entry.level) < order.findIndex((one) => one === level) || !says(item, words);
    expand(item, words);
    if (!item.hidden && words !== '') mark(item, words);
  }

  /** Separators are hidden while no line matches, and so are headings of days without a visible line. */
  #siftBetween(): void {
    const { all, shown } = this.count;
    for (const { entry, item } of this.#drawn)
      if (entry.kind !== 'line') item.hidden = this.#sieve.words !== '' || (all > 0 && shown === 0);
    let above: HTMLElement | null = null;
    for (const item of Array.from(this.#list.children)) {
      if (!(item instanceof HTMLElement)) continue;
      if (item.classList.contains('log-day')) {
        above = item;
        above.hidden = true;
      } else if (!item.hidden && above !== null) above.hidden = false;
    }
  }

  /** Number of lines, and of visible lines. */
  get count(): { readonly all: number; readonly shown: number } {
    const lines = this.#drawn.filter(({ entry }) => entry.kind === 'line');
    return { all: lines.length, shown: lines.filter(({ item }) => !item.hidden).length };
  }

  /** The visible lines as text, oldest first. */
  get text(): string {
    return this.#drawn
      .reduceRight<string[]>((texts, { entry, item }) => (item.hidden ? texts : [...texts, textOf(entry, item)]), [])
      .join('\n');
  }
}
