import type { EntityList } from '#machines/entity-filter/documents.ts';
import type { Without } from '../parts/entities-words.ts';
import { countWords, type ListFilter, listFilters, onlyWords } from '../parts/entities-list.tsx';
import { EntitiesView } from '../parts/entities-view.tsx';
import { Learning } from '../parts/entities-learning.tsx';
import { t } from '../strings/t.ts';
import { announceIn } from './announce.ts';
import { asksToActivate, asksToReset, decideEntities } from './entity-decisions.ts';
import { type KnownEntities, readEntities } from './entity-known.ts';
import { EntitySelection } from './entity-selection.ts';
import { EntityTraffic } from './entity-traffic.ts';
import { EntityWindow } from './entity-window.ts';
import { redraw } from './morph.ts';
import { note } from './note.ts';
import { ask, send, type Sent } from './send.ts';
import { onLink } from './stream.ts';

/** How often the dashboard's state is polled, in milliseconds: while it is being read, and otherwise. */
const readMs = { busy: 800, calm: 5_000 };
/** Debounce of the search field, in milliseconds. */
const searchMs = 200;

const at = '/api/v1/dashboard';

const isWithout = (word: unknown): word is Without => word === 'simulated' || word === 'switched-off';

/** The entities page: polls the dashboard's state and changes it through the API. */
export class SconceEntities extends HTMLElement {
  #known: KnownEntities | null = null;
  readonly #selection = new EntitySelection(this, () => this.#window);
  readonly #traffic = new EntityTraffic(() => this.#draw());
  #window: EntityWindow | undefined;
  #timer: number | undefined;
  #search: number | undefined;
  #turn = 0;

  connectedCallback(): void {
    this.addEventListener('click', (event) => void this.#click(event.target));
    this.addEventListener('change', (event) => this.#change(event.target));
    this.addEventListener('input', (event) => {
      if (!(event.target instanceof HTMLInputElement)) return;
      if (event.target.name === 'q') this.#searchSoon();
      if (event.target.name === 'entity_id') this.#saidOf(event.target, '');
    });
    this.addEventListener('submit', (event) => {
      event.preventDefault();
      if (event.target instanceof HTMLFormElement) void this.#submit(event.target);
    });
    onLink(() => void this.#read());
    document.addEventListener('visibilitychange', () => void this.#read());
    this.#startList();
    void this.#read();
  }

  get #dashboard(): string {
    return this.dataset['dashboard'] ?? '';
  }

  /** The dashboard of this page, as requests name it. */
  get #named(): { readonly dashboard?: string } {
    return this.#dashboard === '' ? {} : { dashboard: this.#dashboard };
  }

  #path(name: string, more: Readonly<Record<string, string>> = {}): string {
    return `${at}/${name}?${new URLSearchParams({ ...more, ...this.#named }).toString()}`;
  }

  #startList(): void {
    const list = this.querySelector<HTMLElement>('[data-rows]');
    if (list === null) return;
    for (const gone of Array.from(this.querySelectorAll('[data-paging],[data-search]'))) gone.remove();
    this.#window = new EntityWindow(list, {
      read: async (offset, limit) => {
        const answer = await ask(
          this.#path('entities', { ...this.#asked(), sort: 'name', offset: String(offset), limit: String(limit) }),
        );
        // The route's schema guarantees this type.
        return answer.ok ? (answer.body as unknown as EntityList) : null;
      },
      isPicked: (id) => this.#selection.has(id),
      counted: (total) => this.#counted(total),
    });
    void this.#window.reset();
  }

  #asked(): { readonly q: string; readonly filter: ListFilter } {
    const filter = this.querySelector<HTMLSelectElement>('[name="filter"]')?.value;
    return {
      q: this.querySelector<HTMLInputElement>('[name="q"]')?.value ?? '',
      filter: listFilters.find((one) => one === filter) ?? 'all',
    };
  }

  #counted(total: number): void {
    const { q, filter } = this.#asked();
    announceIn(this.querySelector('[data-count]'), countWords(total, q, filter));
    this.querySelector('[data-entities="all"]')?.toggleAttribute('hidden', total === 0);
  }

  #searchSoon(): void {
    window.clearTimeout(this.#search);
    this.#search = window.setTimeout(() => this.#list(), searchMs);
  }

  /** A different list, kept in the address so that a reload shows it again. */
  #list(): void {
    this.#selection.replace([]);
    window.history.replaceState(null, '', `?${new URLSearchParams({ ...this.#named, ...this.#asked() }).toString()}`);
    void this.#window?.reset();
  }

  async #read(): Promise<void> {
    window.clearTimeout(this.#timer);
    this.#turn += 1;
    const turn = this.#turn;
    if (!document.hidden) {
      const known = await readEntities((name) => this.#path(name));
      if (turn !== this.#turn) return;
      if (known !== null) this.#take(known);
    }
    const busy = this.#known !== null && (this.#known.sync.scan !== null || this.#known.sync.no_filter === 'reading');
    this.#timer = window.setTimeout(() => void this.#read(), busy ? readMs.busy : readMs.calm);
  }

  #take(known: KnownEntities): void {
    const before = this.#known;
    this.#known = known;
    // The first scan of a dashboard produces a list that the server did not draw.
    if (this.#window === undefined && known.sync.scanned_at !== null) window.location.reload();
    else if (before !== null && JSON.stringify(before.sync) !== JSON.stringify(known.sync)) void this.#window?.reset();
    this.#draw();
  }

  #draw(): void {
    const known = this.#known;
    const view = this.querySelector('[data-view]');
    const learning = this.querySelector('[data-learning]');
    if (known === null || view === null || learning === null) return;
    const measured = this.#traffic.measured;
    const { without } = this.dataset;
    redraw(
      view,
      String(
        EntitiesView({ ...known, now: Date.now(), live: true, measured, without: isWithout(without) ? without : null }),
      ),
    );
    // Without a dashboard there is nothing to learn or decide.
    const fold = learning.closest('details');
    if (fold !== null) fold.hidden = known.sync.no_filter === 'no-renderer';
    announceIn(this.querySelector('[data-only]'), onlyWords(known.sync));
    redraw(learning, String(Learning({ filter: known.filter, live: true })));
    // Keep the element as it is, including text being typed.
    this.querySelector('[name="entity_id"]')?.removeAttribute('disabled');
  }

  #said(words: string): void {
    announceIn(this.querySelector('[data-said]'), words);
  }

  async #click(target: EventTarget | null): Promise<void> {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-entities],[data-override]') : null;
    if (button === null) return;
    const { entities, override, fingerprint = '' } = button.dataset;
    if (override !== undefined) return this.#decide(override, button.textContent ?? '');
    switch (entities) {
      case 'on':
        return this.#post('entity-filter', { mode: 'automatic', enabled: true });
      case 'sync':
        return this.#post('entities/sync', this.#named);
      case 'activate':
        return this.#activate();
      case 'ignore':
      case 'undo':
        return this.#post('entities/issues', { fingerprint, ignored: entities === 'ignore' });
      case 'measure':
        return this.#traffic.start(this.#path('entities/traffic'));
      case 'stop':
        return this.#traffic.stop();
      case 'switch':
        return this.#switch(button);
      case 'reset':
        return this.#reset();
      case 'all':
        return this.#selection.toggleAll();
      default:
        return undefined;
    }
  }

  #change(target: EventTarget | null): void {
    if (target instanceof HTMLSelectElement) this.#list();
    if (!(target instanceof HTMLInputElement) || target.type !== 'checkbox') return;
    this.#selection.toggle(target.value, target.checked);
  }

  async #submit(form: HTMLFormElement): Promise<void> {
    if (form.dataset['entitiesForm'] === 'search') {
      this.#list();
      return;
    }
    const input = form.querySelector<HTMLInputElement>('[name="entity_id"]');
    const id = input?.value.trim() ?? '';
    if (input === null || id === '') return;
    const sent = await this.#override([id], 'pinned');
    if (sent === null) return;
    if (sent.ok) input.value = '';
    this.#saidOf(input, sent.ok ? t('entities.named', { id }) : sent.reason, !sent.ok);
    await this.#read();
  }

  /** Shows the result below the id field, where it is in view. */
  #saidOf(input: HTMLInputElement, words: string, refused = false): void {
    const line = this.querySelector('[data-said-name]');
    input.setAttribute('aria-invalid', String(refused));
    note(line, words, refused);
    if (words !== '') line?.scrollIntoView({ block: 'center' });
  }

  /** Posts a change, shows the result, and says why if it was refused. */
  async #post(name: string, body: Readonly<Record<string, unknown>>): Promise<void> {
    this.#said('');
    const sent = await send(`${at}/${name}`, body);
    if (!sent.ok) this.#said(t('controls.failed', { reason: sent.reason }));
    await this.#read();
  }

  #switch(button: HTMLElement): Promise<void> {
    const of = button.dataset['switch'] ?? '';
    const on = button.getAttribute('aria-checked') !== 'true';
    const learning = this.#known?.filter.learning;
    if (of === 'enabled' || learning === undefined)
      return this.#post('entity-filter', { mode: 'automatic', enabled: on });
    const policy = { auto_static: learning.auto_static, auto_runtime: learning.auto_runtime, [of]: on };
    return this.#post('entities/policy', policy);
  }

  async #activate(): Promise<void> {
    const sync = this.#known?.sync;
    if (sync !== undefined && (await asksToActivate(sync)))
      await this.#post('entities/activate', {
        confirm: true,
        ...(sync.dashboard !== null && { dashboard: sync.dashboard }),
      });
  }

  async #reset(): Promise<void> {
    if (await asksToReset()) await this.#post('entities/reset', { confirm: true });
  }

  async #decide(override: string, words: string): Promise<void> {
    const { ids } = this.#selection;
    const sent = await this.#override(ids, override);
    if (sent === null) return;
    if (sent.ok) {
      this.#selection.replace([]);
      await this.#window?.reset();
      this.#selection.confirm(t('entities.decided', { count: ids.length, words }));
    } else this.#selection.refuse(sent.reason);
    await this.#read();
  }

  #override(ids: readonly string[], override: string): Promise<Sent | null> {
    return decideEntities(`${at}/entities/overrides`, { dashboard: this.#dashboard, ids, override });
  }
}
