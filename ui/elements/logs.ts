import type { LogLine as Line, LogLineLevel } from '#machines/logs/events.ts';
import { LogLine } from '../parts/log-line.tsx';
import { t } from '../strings/t.ts';
import { exact } from '../strings/times.ts';
import { say } from './announce.ts';

/** Lines kept on the page; the oldest gives way. */
const mostLines = 1000;
/** Lines that wait while the page is paused; the oldest gives way, and is counted. */
const mostWaiting = 1000;
/** How long lines are gathered before they are drawn, in milliseconds. */
const gatherMs = 50;
/** How long a cut may last before the page says so, in milliseconds: a restarted server is back within one second. */
const graceMs = 1_500;
/** Wait before a stream that the browser gave up is opened again, in milliseconds. */
const reopenMs = 3_000;

const order: readonly LogLineLevel[] = ['trace', 'debug', 'info', 'warn', 'error'];

/** What stands on the page: a line of the log, or a word of the page's own (lines that are missing, a new start). */
type Row = { readonly line: Line } | { readonly note: string };

interface Drawn {
  readonly row: Row;
  readonly item: HTMLElement;
}

const itemOf = (row: Row): HTMLElement => {
  if ('line' in row) {
    const template = document.createElement('template');
    template.innerHTML = String(LogLine({ line: row.line }));
    const item = template.content.firstElementChild;
    if (item instanceof HTMLElement) return item;
  }
  const note = document.createElement('li');
  note.className = 'log-note';
  note.textContent = 'note' in row ? row.note : '';
  return note;
};

const textOf = ({ at, level, part, text, facts }: Line): string =>
  [exact(at), t(`logs.mark.${level}`), ...(part === '' ? [] : [`${part}:`]), text, facts].join(' ').trim();

/** The live log: what is shown, what waits, and the stream it comes from. */
export class SconceLogs extends HTMLElement {
  readonly #drawn: Drawn[] = [];
  #waiting: Row[] = [];
  #lost = 0;
  #paused = false;
  /** Null until the stream has said something. */
  #live: boolean | null = null;
  #timer: number | undefined;
  #source: EventSource | undefined;
  #grace: number | undefined;
  #reopen: number | undefined;
  #run = '';
  #last = '';

  connectedCallback(): void {
    for (const control of this.#controls()) control.removeAttribute('disabled');
    this.addEventListener('input', () => this.#sift());
    this.querySelector('[data-pause]')?.addEventListener('click', () => this.#pause());
    // Filled in just before the page's own listener for copying hears of the same click.
    this.querySelector('[data-copy]')?.addEventListener('click', (event) => {
      if (event.currentTarget instanceof HTMLElement) event.currentTarget.dataset['copy'] = this.#shownText();
    });
    this.#sayLink();
    this.#suit();
    // Lines that came while the page was hidden come when it is seen again, as far as the panel still has them.
    document.addEventListener('visibilitychange', () => this.#suit());
    window.addEventListener('pagehide', () => this.#close());
    window.addEventListener('pageshow', (event) => {
      if (event.persisted) this.#suit();
    });
  }

  #controls(): HTMLElement[] {
    return Array.from(this.querySelectorAll<HTMLElement>('[data-level],[data-search],[data-pause],[data-copy]'));
  }

  #suit(): void {
    if (document.hidden) this.#close();
    else if (this.#source === undefined) this.#open();
  }

  #close(): void {
    this.#source?.close();
    this.#source = undefined;
    window.clearTimeout(this.#reopen);
  }

  #open(): void {
    this.#close();
    const source = new EventSource(`/api/v1/logs/stream${this.#last === '' ? '' : `?after=${this.#last}`}`);
    this.#source = source;
    source.addEventListener('open', () => this.#say(true));
    source.addEventListener('line', (event) => {
      // The panel's own server writes these events with the types named here.
      const { data, lastEventId } = event as MessageEvent<string>;
      this.#take(JSON.parse(data) as Line, lastEventId);
    });
    source.addEventListener('dropped', (event) => {
      const { count } = JSON.parse((event as MessageEvent<string>).data) as { readonly count: number };
      this.#queue({ note: t('logs.dropped', { count }) });
    });
    source.addEventListener('error', () => {
      this.#grace = this.#grace ?? window.setTimeout(() => this.#say(false), graceMs);
      // A refused stream is not tried again by the browser.
      if (source.readyState === EventSource.CLOSED) this.#reopen = window.setTimeout(() => this.#open(), reopenMs);
    });
  }

  #say(live: boolean): void {
    window.clearTimeout(this.#grace);
    this.#grace = undefined;
    this.classList.toggle('is-not-live', !live);
    this.#live = live;
    this.#sayLink();
  }

  /** What is held back is not live, however well the stream is: the count beside it says that it is paused. */
  #sayLink(): void {
    const live = this.#paused ? '' : t('logs.live');
    say(
      this.querySelector('[data-link]'),
      this.#live === null ? t('logs.connecting') : this.#live ? live : t('logs.not_live'),
    );
  }

  #take(line: Line, id: string): void {
    const run = id.split('-')[0] ?? '';
    // What the server drew is replaced by what the stream begins with.
    const list = this.querySelector('.log');
    if (this.#run === '' && list !== null) list.textContent = '';
    if (this.#run !== '' && this.#run !== run) this.#queue({ note: t('logs.restarted') });
    this.#run = run;
    this.#last = id;
    this.#queue({ line });
  }

  #queue(row: Row): void {
    this.#waiting.push(row);
    if (this.#waiting.length > mostWaiting) {
      this.#waiting.shift();
      this.#lost += 1;
    }
    this.#timer = this.#timer ?? window.setTimeout(() => this.#draw(), gatherMs);
  }

  #draw(): void {
    this.#timer = undefined;
    if (!this.#paused) {
      const rows = this.#waiting;
      this.#waiting = [];
      if (this.#lost > 0) rows.unshift({ note: t('logs.dropped', { count: this.#lost }) });
      this.#lost = 0;
      const list = this.querySelector('.log');
      for (const row of rows) {
        const item = itemOf(row);
        item.hidden = !this.#matches(row, item);
        this.#drawn.unshift({ row, item });
        list?.prepend(item);
      }
      for (const { item } of this.#drawn.splice(mostLines)) item.remove();
    }
    this.#count();
  }

  #matches(row: Row, item: HTMLElement): boolean {
    const level = this.querySelector<HTMLSelectElement>('[data-level]')?.value ?? 'trace';
    const words = (this.querySelector<HTMLInputElement>('[data-search]')?.value ?? '').trim().toLowerCase();
    if ('line' in row && order.indexOf(row.line.level) < order.findIndex((one) => one === level)) return false;
    return words === '' || ('line' in row && (item.textContent ?? '').toLowerCase().includes(words));
  }

  #sift(): void {
    for (const { row, item } of this.#drawn) item.hidden = !this.#matches(row, item);
    this.#count();
  }

  #pause(): void {
    this.#paused = !this.#paused;
    const button = this.querySelector('[data-pause]');
    if (button !== null) button.textContent = this.#paused ? t('logs.resume') : t('logs.pause');
    this.#sayLink();
    this.#draw();
  }

  #count(): void {
    const shown = this.#drawn.filter(({ row, item }) => 'line' in row && !item.hidden).length;
    const waiting = this.#waiting.filter((row) => 'line' in row).length + this.#lost;
    say(
      this.querySelector('[data-count]'),
      this.#paused ? t('logs.paused', { count: waiting }) : t('logs.shown', { count: shown }),
    );
    const none = this.querySelector<HTMLElement>('[data-none]');
    if (none === null) return;
    none.hidden = shown > 0;
    say(none, this.#drawn.length === 0 ? t('logs.empty') : t('logs.none'));
  }

  /** The lines that are shown as text, the oldest first. */
  #shownText(): string {
    return this.#drawn
      .reduceRight<string[]>(
        (texts, { row, item }) => ('line' in row && !item.hidden ? [...texts, textOf(row.line)] : texts),
        [],
      )
      .join('\n');
  }
}
