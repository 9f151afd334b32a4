import type { LightHistory } from '#machines/auto-brightness/document.ts';
import { RoomChart, RoomDays } from '../parts/room-chart.tsx';
import { roomSliders } from '../parts/room-levels.tsx';
import { t } from '../strings/t.ts';
import { closest } from './closest.ts';
import { redraw } from './morph.ts';
import { note } from './note.ts';
import { askPerson } from './question.ts';
import { ask, send, whyNot } from './send.ts';

/** How long a slider rests before its preview is asked for, in milliseconds. */
const REST_MS = 200;
/** How soon a chart is asked for again while another is drawn, in milliseconds. */
const BUSY_MS = 700;
/** How often the chart is drawn again, in milliseconds: so often is what was learned fitted. */
const AGAIN_MS = 300_000;
/** The same while nothing was measured yet. */
const EMPTY_MS = 30_000;

/** How long the page shows that values were saved, in milliseconds. */
const PRAISE_MS = 10_000;

const path = '/api/v1/auto-brightness';

type SliderName = (typeof roomSliders)[number]['name'];

/** Pixels of the widths from which on the drawing has a point for one and for two buckets; below, for three. */
const FINE = 900;
const MIDDLE = 450;

const sizeFor = (pixels: number): number => (pixels >= FINE ? 1 : pixels >= MIDDLE ? 2 : 3);

/** The chart of the last days, and the sliders that are previewed in it before they are saved. */
export class SconceRoomWeek extends HTMLElement {
  readonly #saved = new Map<SliderName, number>();
  /** Undefined until it was read: the page already shows a chart. Null if there is none. */
  #history: LightHistory | null | undefined;
  #savedHistory: LightHistory | null | undefined;
  #timer: number | undefined;
  #turn = 0;
  #isSaving = false;
  #hasChart = false;
  #praised: number | undefined;

  connectedCallback(): void {
    for (const { name } of roomSliders) {
      const slider = this.#slider(name);
      if (slider === null) continue;
      slider.disabled = false;
      this.#saved.set(name, Number(slider.value));
    }
    for (const button of Array.from(this.querySelectorAll<HTMLButtonElement>('[data-forget]'))) button.disabled = false;
    this.addEventListener('input', ({ target }) => {
      if (target instanceof HTMLInputElement) this.#moved(target);
    });
    this.addEventListener('click', (event) => {
      if (closest(event, '[data-save]') !== null) void this.#save();
      if (closest(event, '[data-discard]') !== null) this.#discard();
      if (closest(event, '[data-forget]') !== null) void this.#forget();
    });
    window.addEventListener('beforeunload', (event) => {
      if (Object.keys(this.#changes()).length === 0) return;
      event.preventDefault();
      // Chromium before 119 asks only if `returnValue` is set.
      event.returnValue = true;
    });
    window.addEventListener('resize', () => this.#draw());
    document.addEventListener('room', (event) => {
      this.#hasChart = event instanceof CustomEvent && event.detail === true;
      this.#readSoon(0);
    });
    document.addEventListener('visibilitychange', () => this.#readSoon(0));
  }

  #slider(name: SliderName): HTMLInputElement | null {
    return this.querySelector<HTMLInputElement>(`input[name="${name}"]`);
  }

  #changes(): Readonly<Partial<Record<SliderName, number>>> {
    return Object.fromEntries(
      roomSliders.flatMap(({ name }) => {
        const value = Number(this.#slider(name)?.value);
        return value === this.#saved.get(name) ? [] : [[name, value] as const];
      }),
    );
  }

  #set(name: SliderName, value: number): void {
    const slider = this.#slider(name);
    if (slider !== null) slider.value = String(value);
  }

  #moved({ name }: HTMLInputElement): void {
    const [least, most] = roomSliders;
    const [low, high] = [least, most].map((one) => Number(this.#slider(one.name)?.value));
    // The brightest stays above the darkest: one moves the other along.
    if (low !== undefined && high !== undefined && low >= high) {
      if (name === least.name) this.#set(most.name, low + 1);
      else this.#set(least.name, high - 1);
    }
    this.#mark();
    this.#readSoon(REST_MS);
  }

  /** Shows the values, and the buttons while they are not saved. */
  #mark(said = ''): void {
    window.clearTimeout(this.#praised);
    for (const { name } of roomSliders) {
      const output = this.querySelector(`[data-of="${name}"]`);
      if (output !== null) output.textContent = `${this.#slider(name)?.value ?? ''} %`;
    }
    const isChanged = Object.keys(this.#changes()).length > 0;
    const bar = this.querySelector<HTMLElement>('[data-save-bar]');
    if (bar !== null) bar.hidden = !isChanged && said === '';
    for (const button of Array.from(this.querySelectorAll<HTMLButtonElement>('[data-save],[data-discard]')))
      button.hidden = !isChanged || this.#isSaving;
    note(this.querySelector('[data-said="levels"]'), said === '' && isChanged ? t('room.unsaved') : said);
  }

  #readSoon(ms: number): void {
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#read(), ms);
  }

  /** Reads the chart with the values of the sliders; what was saved stays beside it. */
  async #read(): Promise<void> {
    if (document.hidden || !this.#hasChart) return;
    this.#turn += 1;
    const turn = this.#turn;
    const changes = this.#changes();
    const isPreview = Object.keys(changes).length > 0;
    const query = isPreview
      ? roomSliders.map(({ name, query: key }) => `${key}=${this.#slider(name)?.value ?? ''}`).join('&')
      : '';
    const answer = await ask(`${path}/history?${query}`);
    if (turn !== this.#turn) return;
    if (!answer.ok) {
      this.#readSoon(answer.error === 'chart-busy' ? BUSY_MS : AGAIN_MS);
      if (answer.error === 'not-running' || answer.error === 'no-source') this.#history = null;
      this.#draw();
      return;
    }
    // The route's schema guarantees this type.
    this.#history = answer.body as unknown as LightHistory;
    this.#readSoon(this.#history.available ? AGAIN_MS : EMPTY_MS);
    if (!isPreview) {
      this.#savedHistory = this.#history;
      this.#adopt(this.#history);
    }
    this.#draw();
  }

  /** Takes up what was saved elsewhere. */
  #adopt(history: LightHistory): void {
    const [least, most, response] = roomSliders;
    const values = [
      [least.name, history.minimum_percent],
      [most.name, history.maximum_percent],
      [response.name, history.sensitivity],
    ] as const;
    if (values.every(([name, value]) => this.#saved.get(name) === value)) return;
    for (const [name, value] of values) {
      this.#saved.set(name, value);
      this.#set(name, value);
    }
    this.#mark();
  }

  #draw(): void {
    const place = this.querySelector('[data-chart]');
    const history = this.#history;
    if (place === null || history === undefined) return;
    const isPreview = Object.keys(this.#changes()).length > 0;
    const days = this.querySelector('[data-days]');
    if (days !== null) redraw(days, String(RoomDays({ history })));
    redraw(
      place,
      String(
        RoomChart({
          history,
          size: sizeFor(place.clientWidth),
          saved: isPreview && this.#savedHistory !== history ? (this.#savedHistory ?? null) : null,
        }),
      ),
    );
  }

  #discard(): void {
    for (const [name, value] of this.#saved) this.#set(name, value);
    this.#mark();
    this.#history = this.#savedHistory;
    this.#draw();
    this.#readSoon(0);
  }

  async #save(): Promise<void> {
    const changes = this.#changes();
    this.#isSaving = true;
    this.#mark(t('room.saving'));
    const sent = await send('/api/v1/config', changes);
    this.#isSaving = false;
    if (!sent.ok) {
      this.#mark();
      note(this.querySelector('[data-said="levels"]'), Object.values(sent.reasons)[0] ?? whyNot(sent), true);
      return;
    }
    for (const [name, value] of Object.entries(changes)) {
      const slider = roomSliders.find((one) => one.name === name);
      if (slider !== undefined) this.#saved.set(slider.name, value);
    }
    this.#mark(t('room.saved'));
    this.#praised = window.setTimeout(() => this.#mark(), PRAISE_MS);
    this.#readSoon(0);
  }

  async #forget(): Promise<void> {
    const agreed = await askPerson('room-question', {
      title: t('room.forget_title'),
      texts: [t('room.forget_goes'), t('room.forget_then')],
      yes: t('room.forget_yes'),
    });
    if (!agreed) return;
    const sent = await send(`${path}/reset`, {});
    note(this.querySelector('[data-said="forget"]'), sent.ok ? t('room.forgotten') : whyNot(sent), !sent.ok);
    this.#readSoon(0);
  }
}
