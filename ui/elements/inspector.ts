import type { TreeNode } from '#machines/kit/status.ts';
import type { EventFrame, EventRecord, MachineFacts, Machines } from '#machines/status/inspection.ts';
import { InspectorChart } from '../parts/inspector-chart.tsx';
import { InspectorEvent, InspectorParts, type LogRow } from '../parts/inspector-parts.tsx';
import { t } from '../strings/t.ts';
import { fill } from './fill.ts';
import { announceIn } from './announce.ts';
import { redraw } from './morph.ts';
import { ask } from './send.ts';
import { onStatus } from './stream.ts';

/** Maximum events kept, and shown. */
const most = { kept: 1000, shown: 200 };

/** How long a part stays marked after an event, in milliseconds. */
const stirMs = 700;

/** Delay before reopening a stream that the browser gave up on, in milliseconds. */
const reopenMs = 3_000;

/** Reversed; browsers at the floor have no `toReversed`. */
const newestFirst = (rows: readonly LogRow[]): LogRow[] =>
  rows.map((_, index) => rows[rows.length - 1 - index]).filter((row): row is LogRow => row !== undefined);

type Filter = 'all' | 'own' | 'changes';

/** The inspector: the tree of parts, the chart of the chosen part, and the event log. */
export class SconceInspector extends HTMLElement {
  #machines: readonly MachineFacts[] = [];
  #tree: TreeNode | undefined;
  #rows: LogRow[] = [];
  #dropped = 0;
  #held = false;
  readonly #values = new Map<string, string>();
  readonly #stirred = new Map<string, number>();
  readonly #filters = new Set<Filter>();
  #source: EventSource | undefined;

  connectedCallback(): void {
    for (const control of Array.from(this.querySelectorAll('[data-filter],[data-hold]')))
      control.removeAttribute('disabled');
    this.addEventListener('click', (event) => this.#click(event));
    this.addEventListener('change', (event) => this.#filter(event.target));
    onStatus((status) => {
      this.#tree = status.supervision;
      this.#drawParts();
    });
    this.#open();
    // Recording continues while the page is hidden, so that events from that time are there on return.
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) return;
      this.#drawParts();
      this.#drawChart();
      if (!this.#held) this.#drawEvents();
    });
    window.addEventListener('pagehide', () => this.#source?.close());
    window.addEventListener('pageshow', (event) => {
      if (event.persisted) this.#open();
    });
  }

  get #chosen(): string {
    return this.getAttribute('part') ?? '';
  }

  #open(): void {
    this.#source?.close();
    const source = new EventSource('/api/v1/dev/stream');
    this.#source = source;
    // Also after a disconnect: the stream does not replay missed events, so the states are read again.
    source.addEventListener('open', () => void this.#load());
    source.addEventListener('records', (event) => {
      // The panel's own server writes these frames.
      this.#take(JSON.parse((event as MessageEvent<string>).data) as EventFrame);
    });
    source.addEventListener('error', () => {
      if (source.readyState !== EventSource.CLOSED) return;
      // Browsers do not retry a refused stream.
      window.setTimeout(() => this.#open(), reopenMs);
      announceIn(this.querySelector('[data-said]'), t('inspector.refused'));
    });
  }

  async #load(): Promise<void> {
    const answer = await ask('/api/v1/dev/machines');
    if (!answer.ok) return;
    // The route's schema guarantees this type.
    const { machines, tree } = answer.body as unknown as Machines;
    this.#machines = machines;
    this.#tree = tree;
    this.#drawParts();
    this.#drawChart();
    this.#showChosen();
  }

  /** Scrolls the chosen part into view within its box; the page itself does not scroll. */
  #showChosen(): void {
    const box = this.#place('parts');
    const part = box?.querySelector('[aria-current]');
    if (!box || !part) return;
    const [outer, inner] = [box.getBoundingClientRect(), part.getBoundingClientRect()];
    if (inner.top < outer.top || inner.bottom > outer.bottom)
      box.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
    if (inner.left < outer.left || inner.right > outer.right)
      box.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
  }

  #take(frame: EventFrame): void {
    const now = performance.now();
    const fresh = frame.records.map((record) => this.#note(record, now));
    this.#dropped += frame.dropped;
    this.#rows = [...newestFirst(fresh), ...this.#rows].slice(0, most.kept);
    if (document.hidden) return;
    this.#drawParts();
    if (frame.records.some(({ actor }) => actor === this.#chosen)) this.#drawChart();
    if (!this.#held) this.#addEvents(fresh);
    window.setTimeout(() => this.#drawParts(), stirMs);
  }

  #note(record: EventRecord, now: number): LogRow {
    const key = `${record.of ?? ''}/${record.actor}`;
    const value = JSON.stringify(record.value);
    const changed = record.value !== null && this.#values.get(key) !== value;
    this.#values.set(key, value);
    if (record.of === null) {
      this.#stirred.set(record.actor, now);
      this.#machines = this.#machines.map((machine) =>
        machine.id === record.actor && record.value !== null ? { ...machine, value: record.value } : machine,
      );
    }
    return { record, changed };
  }

  readonly #passes = ({ record, changed }: LogRow): boolean => {
    if (this.#filters.has('changes') && !changed) return false;
    return !this.#filters.has('own') || record.actor === this.#chosen || record.of === this.#chosen;
  };

  #click(event: Event): void {
    const target = event.target instanceof Element ? event.target : null;
    const part = target?.closest<HTMLElement>('[data-part]')?.dataset['part'];
    if (part !== undefined) {
      event.preventDefault();
      this.setAttribute('part', part);
      window.history.replaceState(null, '', `/inspector?part=${encodeURIComponent(part)}`);
      this.#drawParts();
      this.#drawChart();
      // If the chart is below the list, scroll to it.
      const chart = this.querySelector('.inspect-chart');
      if (chart !== null && chart.getBoundingClientRect().top > window.innerHeight / 2) chart.scrollIntoView();
      if (this.#filters.has('own')) this.#drawEvents();
    }
    const hold = target?.closest<HTMLElement>('[data-hold]');
    if (hold) {
      this.#held = !this.#held;
      hold.setAttribute('aria-pressed', String(this.#held));
      hold.textContent = this.#held ? t('inspector.go_on') : t('inspector.hold');
      if (!this.#held) this.#drawEvents();
    }
  }

  #filter(target: EventTarget | null): void {
    if (!(target instanceof HTMLInputElement)) return;
    const name = target.dataset['filter'];
    if (name !== 'all' && name !== 'own' && name !== 'changes') return;
    if (target.checked) this.#filters.add(name);
    else this.#filters.delete(name);
    if (name === 'all') this.#drawChart();
    else this.#drawEvents();
  }

  #place(name: string): Element | null {
    return this.querySelector(`[data-draw="${name}"]`);
  }

  #drawParts(): void {
    const place = this.#place('parts');
    if (place === null || this.#tree === undefined || this.#machines.length === 0) return;
    const now = performance.now();
    const stirred = new Set([...this.#stirred].flatMap(([id, at]) => (now - at < stirMs ? [id] : [])));
    redraw(
      place,
      String(InspectorParts({ tree: this.#tree, machines: this.#machines, chosen: this.#chosen, stirred })),
    );
  }

  #drawChart(): void {
    const machine = this.#machines.find(({ id }) => id === this.#chosen);
    const place = this.#place('chart');
    const title = this.querySelector('#inspect-chart');
    if (machine === undefined || place === null || title === null) return;
    title.textContent = machine.id;
    redraw(place, String(InspectorChart({ machine, all: this.#filters.has('all') })));
  }

  #drawEvents(): void {
    fill(this.#place('events'));
    this.#addEvents(newestFirst(this.#rows));
  }

  /** Adds rows (oldest first) above those shown. */
  #addEvents(rows: readonly LogRow[]): void {
    const place = this.#place('events');
    if (place === null) return;
    const shown = newestFirst(rows.filter(this.#passes).slice(-most.shown));
    place.insertAdjacentHTML('afterbegin', shown.map((row) => String(InspectorEvent({ row }))).join(''));
    while (place.childElementCount > most.shown) place.lastElementChild?.remove();
    const said = this.querySelector('[data-said]');
    if (said === null) return;
    said.textContent =
      place.childElementCount === 0
        ? t('inspector.nothing')
        : this.#dropped === 0
          ? ''
          : t('inspector.dropped', { count: this.#dropped });
  }
}
