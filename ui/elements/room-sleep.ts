import type { AutoSleepDocument, SleepSources } from '#machines/auto-sleep/document.ts';
import { goesBySensors, RoomSleep } from '../parts/room-sleep.tsx';
import { sentenceAt } from '../parts/sleep-words.ts';
import { t } from '../strings/t.ts';
import { closest } from './closest.ts';
import { redraw } from './morph.ts';
import { note } from './note.ts';
import { ask, send, whyNot } from './send.ts';
import { latestStatus, onLink, onStatus } from './stream.ts';

/** How often the decision and the sensors are read, in milliseconds; a change in the status is read at once. */
const READ_MS = 3_000;
/** How often the time left is counted down, in milliseconds. */
const COUNT_MS = 1_000;

const path = '/api/v1/auto-sleep';

/** True if there is a list of sensors to ask for. */
const isListed = (doc: AutoSleepDocument): boolean =>
  goesBySensors(doc) && (doc.discovered_source_count > 0 || doc.gap === 'no-sensors');

/** Whether the screen sleeps, live, with the time left, the sensors that count, and what changed it last. */
export class SconceRoomSleep extends HTMLElement {
  #doc: AutoSleepDocument | null = null;
  #sources: SleepSources | null = null;
  #timer: number | undefined;
  #turn = 0;
  /** How far the browser's clock is ahead of the panel's, in milliseconds: the least ever seen. */
  #ahead = Infinity;

  connectedCallback(): void {
    this.addEventListener('click', (event) => {
      const button = closest(event, '[data-sleep],[data-sensor]');
      if (button === null) return;
      const on = button.getAttribute('aria-checked') !== 'true';
      const { sensor } = button.dataset;
      void (sensor === undefined ? this.#switch(on) : this.#include(sensor, on));
    });
    document.addEventListener('visibilitychange', () => void this.#read());
    onLink(() => void this.#read());
    onStatus(
      ({ taken_at: takenAt }) => {
        this.#ahead = Math.min(this.#ahead, Date.now() - takenAt);
        void this.#read();
      },
      ['auto_sleep'],
    );
    window.setInterval(() => this.#count(), COUNT_MS);
    void this.#read();
  }

  /** Now by the panel's clock. */
  #now(): number {
    return Date.now() - (Number.isFinite(this.#ahead) ? this.#ahead : 0);
  }

  async #read(): Promise<void> {
    window.clearTimeout(this.#timer);
    this.#turn += 1;
    const turn = this.#turn;
    if (!document.hidden) {
      const decision = await ask(path);
      // The routes' schemas guarantee these types.
      const doc = decision.ok ? (decision.body as unknown as AutoSleepDocument) : this.#doc;
      const sources = doc !== null && isListed(doc) ? await ask(`${path}/sources`) : null;
      if (turn !== this.#turn) return;
      this.#sources = sources?.ok === true ? (sources.body as unknown as SleepSources) : null;
      this.#doc = doc;
      this.#draw();
    }
    this.#timer = window.setTimeout(() => void this.#read(), READ_MS);
  }

  #draw(): void {
    if (this.#doc === null) return;
    const screen = latestStatus()?.screen;
    // Before the first status, as the page was served.
    const hasScreen =
      screen === undefined ? this.querySelector('[data-sleep]') !== null : (screen?.lit ?? null) !== null;
    const doc = { ...this.#doc, detail: sentenceAt(this.#doc, this.#now()) };
    redraw(this, String(RoomSleep({ doc, sources: this.#sources, hasScreen, now: this.#now(), isLive: true })));
    const last = document.querySelector<HTMLElement>('sconce-room-last');
    if (last !== null) last.hidden = !goesBySensors(doc);
  }

  #count(): void {
    const sentence = this.querySelector('[data-sentence]');
    if (this.#doc === null || sentence === null || document.hidden) return;
    const words = sentenceAt(this.#doc, this.#now());
    if (sentence.textContent !== words) sentence.textContent = words;
  }

  #say(name: 'sleep' | 'sensors', words: string, isRefused = false): void {
    note(this.querySelector(`[data-said="${name}"]`), words, isRefused);
  }

  /** Saves the setting; with the sensors of Home Assistant, says first if they can be used. */
  async #switch(on: boolean): Promise<void> {
    let told = '';
    if (on && this.#doc?.source === 'home_assistant') {
      this.#say('sleep', t('room.sleep.asking'));
      const asked = await ask(`${path}/prerequisite`);
      told = asked.ok ? String(asked.body['detail']) : asked.reason;
    }
    const sent = await send('/api/v1/config', { auto_sleep: on });
    this.#say('sleep', sent.ok ? told : whyNot(sent), !sent.ok);
    await this.#read();
  }

  async #include(key: string, included: boolean): Promise<void> {
    const sent = await send(`${path}/source`, {
      area_key: this.#sources?.area_key ?? '',
      source_key: key,
      included,
    });
    await this.#read();
    if (sent.ok) this.#say('sensors', t(included ? 'room.sensors.counts' : 'room.sensors.out'));
    else if (sent.error === 'sources-stale') this.#say('sensors', t('room.sensors.stale'), true);
    else this.#say('sensors', whyNot(sent), true);
  }
}
