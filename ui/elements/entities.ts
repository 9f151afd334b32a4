import type { EntityList } from '#machines/entity-filter/documents.ts';
import { whyWords, type Without } from '../parts/entities-words.ts';
import { countWords, type ListFilter, listFilters, onlyWords } from '../parts/entities-list.tsx';
import { EntitiesView } from '../parts/entities-view.tsx';
import { Learning } from '../parts/entities-learning.tsx';
import { t } from '../strings/t.ts';
import { announceIn } from './announce.ts';
import { type KnownEntities, readEntities } from './entity-known.ts';
import { EntityTraffic } from './entity-traffic.ts';
import { EntityWindow } from './entity-window.ts';
import { redraw } from './morph.ts';
import { note } from './note.ts';
import { askPerson, type Question } from './question.ts';
import { ask, send, type Sent } from './send.ts';
import { onLink } from './stream.ts';

/** How often the dashboard's state is polled, in milliseconds: while it is being read, and otherwise. */
const readMs = { busy: 800, calm: 5_000 };
/** Debounce of the search field, in milliseconds. */
const searchMs = 200;

/** How long a decision's message stays, in milliseconds. */
const announcedMs = 6_000;

const at = '/api/v1/dashboard';

/** The dialog that asks before a change. */
const dialog = 'entities-question';

const isWithout = (word: unknown): word is Without => word === 'simulated' || word === 'switched-off';

/** The entities page: polls the dashboard's state and changes it through the API. */
export class SconceEntities extends HTMLElement {
  #known: KnownEntities | null = null;
  readonly #picked = new Set<string>();
  readonly #traffic = new EntityTraffic(() => this.#draw());
  #window: EntityWindow | undefined;
  #timer: number | undefined;
  #search: number | undefined;
  #told: number | undefined;
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

  #path(name: string, more: Readonly<Record<string, string>> = {}): string {
    const named = this.#dashboard === '' ? {} : { dashboard: this.#dashboard };
    return `${at}/${name}?${new URLSearchParams({ ...more, ...named }).toString()}`;
  }

  #startList(): void {
    const list = this.querySelector<HTMLElement>('[data-rows]');
    if (list === null) return;
    for (const gone of Array.from(this.querySelectorAll('[data-paging],[data-search]'))) gone.remove();
    this.#window = new EntityWindow(list, {
      read: async (offset, limit) => {
        const answer = await ask(
          this.#path('entities', { ...this.#asked(), offset: String(offset), limit: String(limit) }),
        );
        // The route's schema guarantees this type.
        return answer.ok ? (answer.body as unknown as EntityList) : null;
      },
      isPicked: (id) => this.#picked.has(id),
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
    this.#pick([]);
    const named = this.#dashboard === '' ? {} : { dashboard: this.#dashboard };
    window.history.replaceState(null, '', `?${new URLSearchParams({ ...named, ...this.#asked() }).toString()}`);
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
        return this.#post('entities/sync', {});
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
        return this.#pickAll();
      default:
        return undefined;
    }
  }

  #change(target: EventTarget | null): void {
    if (target instanceof HTMLSelectElement) this.#list();
    if (!(target instanceof HTMLInputElement) || target.type !== 'checkbox') return;
    if (target.checked) this.#picked.add(target.value);
    else this.#picked.delete(target.value);
    this.#sayPicked();
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

  #asks(question: Question, isGrave = false): Promise<boolean> {
    document.querySelector(`#${dialog} [data-answer="yes"]`)?.classList.toggle('danger', isGrave);
    return askPerson(dialog, question);
  }

  async #activate(): Promise<void> {
    const sync = this.#known?.sync;
    if (sync === undefined) return;
    const count = sync.learned_count;
    const before =
      sync.active_count === null ? t('entities.ask_from_all') : t('entities.ask_from', { count: sync.active_count });
    const agreed = await this.#asks({
      title: t('entities.ask_activate', { count }),
      texts: [before, t('entities.ask_activate_text')],
      yes: t('entities.action.activate', { count }),
    });
    const named = sync.dashboard === null ? {} : { dashboard: sync.dashboard };
    if (agreed) await this.#post('entities/activate', { confirm: true, ...named });
  }

  async #reset(): Promise<void> {
    const question = {
      title: t('entities.ask_reset'),
      texts: [t('entities.ask_reset_text'), t('entities.ask_reset_kept')],
      yes: t('entities.reset'),
    };
    if (await this.#asks(question, true)) await this.#post('entities/reset', { confirm: true });
  }

  #pick(ids: readonly string[]): void {
    this.#picked.clear();
    for (const id of ids) this.#picked.add(id);
    this.#window?.repick();
    this.#sayPicked();
  }

  async #pickAll(): Promise<void> {
    if (this.#window === undefined) return;
    const all = this.#picked.size > 0 && this.#picked.size === this.#window.total;
    this.#pick(all ? [] : ((await this.#window.ids()) ?? []));
  }

  #sayPicked(): void {
    const count = this.#picked.size;
    const bar = this.querySelector<HTMLElement>('[data-bar]');
    bar?.classList.remove('is-told');
    if (bar !== null) bar.hidden = count === 0;
    this.#sayWhy();
    announceIn(this.querySelector('[data-picked]'), t('entities.picked', { count }));
    const all = count > 0 && count === this.#window?.total;
    announceIn(this.querySelector('[data-entities="all"]'), t(all ? 'entities.pick_none' : 'entities.pick_all'));
  }

  /** With a single selected entity, lists every reason, which may not fit in its row. */
  #sayWhy(): void {
    const place = this.querySelector<HTMLElement>('[data-why]');
    const [id] = this.#picked;
    const row = this.#picked.size === 1 && id !== undefined ? this.#window?.row(id) : undefined;
    if (place === null) return;
    const words = this.querySelector('.entity-list input:checked ~ span:last-child');
    place.hidden = row === undefined || (words !== null && words.scrollHeight <= words.clientHeight + 1);
    place.textContent = row === undefined ? '' : t('entities.why_row', { id: row.entity_id, why: whyWords(row) });
  }

  async #decide(override: string, words: string): Promise<void> {
    const ids = Array.from(this.#picked);
    const sent = await this.#override(ids, override);
    if (sent === null) return;
    if (sent.ok) {
      this.#pick([]);
      await this.#window?.reset();
      this.#tell(t('entities.decided', { count: ids.length, words }));
    } else announceIn(this.querySelector('[data-picked]'), t('controls.failed', { reason: sent.reason }));
    await this.#read();
  }

  /** Briefly shows the decision in place of its buttons, since the list may be screens long. */
  #tell(words: string): void {
    const bar = this.querySelector<HTMLElement>('[data-bar]');
    if (bar === null) return;
    bar.classList.add('is-told');
    bar.hidden = false;
    announceIn(this.querySelector('[data-picked]'), words);
    window.clearTimeout(this.#told);
    this.#told = window.setTimeout(() => {
      if (bar.classList.contains('is-told')) bar.hidden = true;
    }, announcedMs);
  }

  /** Applies a decision to entities, after a question if the panel requires one. Null if the person said no. */
  async #override(ids: readonly string[], override: string): Promise<Sent | null> {
    const named = this.#dashboard === '' ? {} : { dashboard: this.#dashboard };
    const path = `${at}/entities/overrides`;
    const body = { entity_ids: ids, override, ...named };
    const sent = await send(path, body);
    if (sent.ok || sent.error !== 'confirmation_required') return sent;
    // No question before handing a decision back to the panel.
    const kind = override === 'pinned' ? 'pinned' : 'forced_exclude';
    const question = {
      title: t(`entities.ask_force.${kind}`, { count: ids.length, id: ids[0] ?? '' }),
      texts: [sent.reason],
      yes: t(`entities.force.${kind}`),
    };
    return (await this.#asks(question)) ? send(path, { ...body, force: true }) : null;
  }
}
