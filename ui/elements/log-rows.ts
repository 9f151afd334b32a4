import type { StoredEntry, LogLineLevel } from '#machines/live-log/events.ts';
import { LogBetween, LogDay, logDayWords, LogLine } from '../parts/log-line.tsx';
import { t } from '../strings/t.ts';
import { dayOf, exact } from '../strings/times.ts';
import { mark, unmark } from './highlight.ts';

/** Entries kept on the page; the oldest gives way. */
const mostEntries = 1000;

const order: readonly LogLineLevel[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

/** What of the lines is shown. */
export interface Sieve {
  /** The least level. */
  readonly level: string;
  /** What a line must say, in lower case; '' for anything. */
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

/** Opens the facts of a line while what is searched for stands in them alone. */
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

/** The list of the log's entries, the newest at the top, each day under its name. */
export class LogRows {
  readonly #list: HTMLElement;
  #drawn: Drawn[] = [];
  /** The topmost day. */
  #day: { readonly at: number; readonly item: HTMLElement } | undefined;
  #sieve: Sieve = { level: 'trace', words: '' };

  constructor(list: HTMLElement) {
    this.#list = list;
  }

  /** Removes everything, also what the server drew. */
  clear(): void {
    this.#list.textContent = '';
    this.#drawn = [];
    this.#day = undefined;
  }

  /** Puts entries at the top, the newest of them last. */
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
    // It may have been today until now.
    if (this.#day !== undefined) this.#day.item.textContent = logDayWords(this.#day.at, now);
    const item = elementOf(LogDay({ at, now }));
    this.#list.prepend(item);
    this.#day = { at, item };
    return item;
  }

  /** Shows what passes and nothing else. */
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

  /** What stands between the lines is not shown while no line passes, and a day of which nothing is shown not named. */
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

  /** How many lines there are, and how many of them are shown. */
  get count(): { readonly all: number; readonly shown: number } {
    const lines = this.#drawn.filter(({ entry }) => entry.kind === 'line');
    return { all: lines.length, shown: lines.filter(({ item }) => !item.hidden).length };
  }

  /** What is shown as text, the oldest first. */
  get text(): string {
    return this.#drawn
      .reduceRight<string[]>((texts, { entry, item }) => (item.hidden ? texts : [...texts, textOf(entry, item)]), [])
      .join('\n');
  }
}
