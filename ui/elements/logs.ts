import type { StoredEntry, LogLine, RunStart } from '#machines/live-log/events.ts';
import { t } from '../strings/t.ts';
import { announceIn } from './announce.ts';
import { LogRows } from './log-rows.ts';

/** Entries requested at first. */
const firstEntries = 1000;
/** Maximum entries queued while paused; the oldest is dropped and counted. */
const mostWaiting = 1000;
/** How long lines are batched before they are drawn, in milliseconds. */
const gatherMs = 50;
/**
 * How long a disconnect may last before the page says so, in milliseconds: a restarted server is back within one
 * second.
 */
const graceMs = 1_500;
/** Retry delay, in milliseconds. */
const reopenMs = 3_000;

/** The stored log as the panel's server writes it. */
interface Kept {
  readonly position: string;
  readonly entries: readonly StoredEntry[];
}

/** The log page: stored entries first, then live ones; filters them, and queues them while paused. */
export class SconceLogs extends HTMLElement {
  #rows: LogRows | undefined;
  #waiting: StoredEntry[] = [];
  #lost = 0;
  #paused = false;
  /** Null until the panel has answered. */
  #live: boolean | null = null;
  #timer: number | undefined;
  #source: EventSource | undefined;
  #grace: number | undefined;
  #reopen: number | undefined;
  /** Incremented with each opening, so that answers for an earlier one are dropped. */
  #turn = 0;
  /** Position at which the stream continues; '' until the stored log has been read. */
  #position = '';

  connectedCallback(): void {
    const list = this.querySelector<HTMLElement>('.log');
    if (list === null) return;
    this.#rows = new LogRows(list);
    for (const control of Array.from(this.querySelectorAll('[disabled]'))) control.removeAttribute('disabled');
    this.addEventListener('input', () => this.#sift());
    this.querySelector('[data-pause]')?.addEventListener('click', () => this.#pause());
    // Filled in just before the page's copy listener handles the same click.
    this.querySelector('[data-copy]')?.addEventListener('click', (event) => {
      if (event.currentTarget instanceof HTMLElement) event.currentTarget.dataset['copy'] = this.#rows?.text ?? '';
    });
    this.#sayLink();
    this.#suit();
    // Lines logged while the page was hidden arrive when it is visible again, if the panel still has them.
    document.addEventListener('visibilitychange', () => this.#suit());
    window.addEventListener('pagehide', () => this.#close());
    window.addEventListener('pageshow', (event) => {
      if (event.persisted) this.#suit();
    });
  }

  #suit(): void {
    if (document.hidden) this.#close();
    else if (this.#source === undefined) void this.#open();
  }

  #close(): void {
    this.#turn += 1;
    this.#source?.close();
    this.#source = undefined;
    window.clearTimeout(this.#reopen);
  }

  async #open(): Promise<void> {
    this.#close();
    const turn = this.#turn;
    if (this.#position === '') {
      const kept = await this.#read();
      if (turn !== this.#turn) return;
      if (kept === null) {
        this.#cut();
        this.#reopen = window.setTimeout(() => void this.#open(), reopenMs);
        return;
      }
      this.#position = kept.position;
      this.#rows?.clear();
      this.#rows?.add(kept.entries);
      this.#sift();
    }
    this.#follow();
  }

  /** The stored log; null if it could not be read. */
  async #read(): Promise<Kept | null> {
    try {
      const response = await fetch(`/api/v1/logs?format=json&lines=${firstEntries}`);
      // The panel's own server writes this document.
      return response.ok ? ((await response.json()) as Kept) : null;
    } catch {
      return null;
    }
  }

  #follow(): void {
    const source = new EventSource(`/api/v1/logs/stream?after=${this.#position}`);
    this.#source = source;
    source.addEventListener('open', () => this.#say(true));
    // The panel's own server writes these events with the types named here.
    source.addEventListener('line', (event) => {
      const { data, lastEventId } = event as MessageEvent<string>;
      this.#position = lastEventId;
      this.#queue({ kind: 'line', ...(JSON.parse(data) as LogLine) });
    });
    source.addEventListener('started', (event) => {
      this.#queue({ kind: 'started', ...(JSON.parse((event as MessageEvent<string>).data) as RunStart) });
    });
    source.addEventListener('dropped', (event) => {
      const { count } = JSON.parse((event as MessageEvent<string>).data) as { readonly count: number };
      this.#queue({ kind: 'left_out', at: Date.now(), count });
    });
    source.addEventListener('error', () => {
      this.#cut();
      // Browsers do not retry a refused stream.
      if (source.readyState === EventSource.CLOSED) this.#reopen = window.setTimeout(() => void this.#open(), reopenMs);
    });
  }

  #cut(): void {
    this.#grace = this.#grace ?? window.setTimeout(() => this.#say(false), graceMs);
  }

  #say(live: boolean): void {
    window.clearTimeout(this.#grace);
    this.#grace = undefined;
    this.classList.toggle('is-not-live', !live);
    this.#live = live;
    this.#sayLink();
  }

  /** A paused list is not live, even if the stream is; the count beside it says that it is paused. */
  #sayLink(): void {
    const live = this.#paused ? '' : t('logs.live');
    announceIn(
      this.querySelector('[data-link]'),
      this.#live === null ? t('logs.connecting') : this.#live ? live : t('logs.not_live'),
    );
  }

  #queue(entry: StoredEntry): void {
    this.#waiting.push(entry);
    if (this.#waiting.length > mostWaiting) {
      this.#waiting.shift();
      this.#lost += 1;
    }
    this.#timer = this.#timer ?? window.setTimeout(() => this.#draw(), gatherMs);
  }

  #draw(): void {
    this.#timer = undefined;
    if (!this.#paused) {
      const entries = this.#waiting;
      this.#waiting = [];
      if (this.#lost > 0) entries.unshift({ kind: 'left_out', at: entries[0]?.at ?? Date.now(), count: this.#lost });
      this.#lost = 0;
      this.#rows?.add(entries);
    }
    this.#count();
  }

  #sift(): void {
    this.#rows?.sift({
      level: this.querySelector<HTMLSelectElement>('[data-level]')?.value ?? 'trace',
      words: (this.querySelector<HTMLInputElement>('[data-search]')?.value ?? '').trim().toLowerCase(),
    });
    this.#count();
  }

  #pause(): void {
    this.#paused = !this.#paused;
    this.classList.toggle('is-paused', this.#paused);
    announceIn(this.querySelector('[data-pause-word]'), this.#paused ? t('logs.resume') : t('logs.pause'));
    this.#sayLink();
    this.#draw();
  }

  #count(): void {
    const { all, shown } = this.#rows?.count ?? { all: 0, shown: 0 };
    const waiting = this.#waiting.filter(({ kind }) => kind === 'line').length + this.#lost;
    announceIn(
      this.querySelector('[data-count]'),
      this.#paused ? t('logs.paused', { count: waiting }) : t('logs.shown', { count: shown }),
    );
    const none = this.querySelector<HTMLElement>('[data-none]');
    if (none === null) return;
    none.hidden = shown > 0;
    announceIn(none, all === 0 ? t('logs.empty') : t('logs.none'));
  }
}
