import type { AutoBrightnessDocument, LightSources } from '#machines/auto-brightness/document.ts';
import { RoomSources } from '../parts/room-sources.tsx';
import { RoomView, type SensorProof } from '../parts/room-view.tsx';
import { hasChart, luxWords } from '../parts/room-words.ts';
import { t } from '../strings/t.ts';
import { closest } from './closest.ts';
import { fieldsOf } from './json-fields.ts';
import { redraw } from './morph.ts';
import { note } from './note.ts';
import { ask, type Sent, send, whyNot } from './send.ts';
import { latestStatus, onLink } from './stream.ts';

/** How often the decision is read, in milliseconds. */
const READ_MS = 2_000;
/** How often Home Assistant is asked about the chosen entity, in milliseconds: its answer serves for as long. */
const ENTITY_MS = 30_000;

const path = '/api/v1/auto-brightness';

const isSignedIn = (): boolean => latestStatus()?.sign_in?.phase === 'signed-in';

/** The panel's own sensor in the answer of `/api/v1/sensors`; null if it has none. */
function ownOf(body: Readonly<Record<string, unknown>>, now: number): SensorProof | null {
  const { present, lux, age_s: age } = fieldsOf(body['light']);
  if (present !== true) return null;
  return {
    name: '',
    lux: typeof lux === 'number' ? lux : null,
    at: typeof age === 'number' ? now - age * 1000 : null,
  };
}

/**
 * The decision, live, and the sensor that it is made from, with the others to choose from. Sends the event `room` when
 * there may be another chart; its detail is true if there is one at all.
 */
export class SconceRoom extends HTMLElement {
  #doc: AutoBrightnessDocument | null = null;
  #own: SensorProof | null = null;
  #entity: SensorProof | null = null;
  #sources: LightSources | null = null;
  #q = '';
  #askedAt = Number.NEGATIVE_INFINITY;
  #timer: number | undefined;
  #turn = 0;

  connectedCallback(): void {
    this.addEventListener('click', (event) => {
      const button = closest(event, '[data-room],[data-source]');
      if (button === null) return;
      const { room: verb, source } = button.dataset;
      if (source !== undefined) void this.#choose(source);
      else if (verb === 'resume') void this.#say(send(`${path}/resume`, {}), t('room.resumed'));
      else void this.#switch(button.getAttribute('aria-checked') !== 'true');
    });
    this.addEventListener('input', ({ target }) => {
      if (!(target instanceof HTMLInputElement) || target.id !== 'room-q') return;
      this.#q = target.value.trim().toLowerCase();
      this.#list();
    });
    // It does not bubble.
    this.addEventListener('toggle', () => void this.#open(), true);
    document.addEventListener('visibilitychange', () => void this.#read());
    onLink(() => void this.#read());
    void this.#read();
  }

  async #read(): Promise<void> {
    window.clearTimeout(this.#timer);
    this.#turn += 1;
    const turn = this.#turn;
    if (!document.hidden) {
      const [room, sensors] = await Promise.all([ask(path), ask('/api/v1/sensors')]);
      if (turn !== this.#turn) return;
      if (sensors.ok) this.#own = ownOf(sensors.body, Date.now());
      // The route's schema guarantees this type.
      if (room.ok) this.#take(room.body as unknown as AutoBrightnessDocument);
    }
    this.#timer = window.setTimeout(() => void this.#read(), READ_MS);
  }

  #take(doc: AutoBrightnessDocument): void {
    const before = this.#doc;
    this.#doc = doc;
    if (before?.sourceId !== doc.sourceId) this.#entity = null;
    if (before === null || before.available !== doc.available || before.sourceRevision !== doc.sourceRevision)
      document.dispatchEvent(new CustomEvent('room', { detail: hasChart(doc) }));
    this.#draw();
    void this.#prove(doc);
  }

  #draw(): void {
    if (this.#doc === null) return;
    const props = { doc: this.#doc, own: this.#own, entity: this.#entity, isSignedIn: isSignedIn() };
    redraw(this, String(RoomView({ ...props, now: Date.now(), isLive: true })));
  }

  /** Reads what Home Assistant shows of the chosen entity. */
  async #prove({ sourceId }: AutoBrightnessDocument): Promise<void> {
    if (sourceId === null || !isSignedIn()) return;
    if (this.#entity !== null && performance.now() - this.#askedAt < ENTITY_MS) return;
    if (performance.now() - this.#askedAt < READ_MS) return;
    this.#askedAt = performance.now();
    const answer = await ask(`${path}/sources?limit=200&q=${encodeURIComponent(sourceId)}`);
    if (!answer.ok || this.#doc?.sourceId !== sourceId) return;
    // As above.
    const { items } = answer.body as unknown as LightSources;
    const item = items.find(({ entityId }) => entityId === sourceId);
    this.#askedAt = performance.now();
    this.#entity = {
      name: item?.friendlyName ?? sourceId,
      lux: item?.currentLux ?? null,
      at: item?.lastUpdatedEpochMs ?? null,
    };
    this.#draw();
  }

  /** Loads the sensors once they are looked at. */
  async #open(): Promise<void> {
    const fold = this.querySelector<HTMLDetailsElement>('#room-sources');
    if (fold?.open !== true) return;
    this.#sources = null;
    this.#list();
    if (!isSignedIn()) return;
    const answer = await ask(`${path}/sources?limit=200`);
    // As above.
    this.#sources = answer.ok ? (answer.body as unknown as LightSources) : { available: false, items: [] };
    this.#list();
  }

  #list(): void {
    const place = this.querySelector('[data-room-list]');
    if (place === null || this.#doc === null) return;
    const props = { chosen: this.#doc.sourceId, own: this.#own, isSignedIn: isSignedIn() };
    redraw(place, String(RoomSources({ ...props, sources: this.#sources, q: this.#q, now: Date.now() })));
  }

  async #switch(on: boolean): Promise<void> {
    await this.#say(send('/api/v1/config', { auto_brightness: on }), '');
  }

  async #choose(id: string): Promise<void> {
    const line = this.querySelector('[data-said="source"]');
    if (id !== '') note(line, t('room.source_reading'));
    const sent = await send(`${path}/source`, { entity_id: id });
    await this.#read();
    if (!sent.ok) {
      note(line, whyNot(sent), true);
      return;
    }
    const lux = sent.body['current_lux'];
    note(line, typeof lux === 'number' ? t('room.source_saved_lux', { lux: luxWords(lux) }) : t('room.source_saved'));
    this.#list();
  }

  /** Shows the result of a request, and the decision after it. */
  async #say(sending: Promise<Sent>, done: string): Promise<void> {
    const sent = await sending;
    note(this.querySelector('[data-said="now"]'), sent.ok ? done : whyNot(sent), !sent.ok);
    await this.#read();
  }
}
