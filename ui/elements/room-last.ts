import type { SleepHistory, SleepSources } from '#machines/auto-sleep/document.ts';
import { RoomLast } from '../parts/room-last.tsx';
import { t, tOr } from '../strings/t.ts';
import { closest } from './closest.ts';
import { redraw } from './morph.ts';
import { note } from './note.ts';
import { ask } from './send.ts';

const path = '/api/v1/auto-sleep';

/** The last hours of the sensors, which Home Assistant is asked for when the button is pressed. */
export class SconceRoomLast extends HTMLElement {
  #isAsking = false;

  connectedCallback(): void {
    this.addEventListener('click', (event) => {
      if (closest(event, '[data-show]') !== null) void this.#show();
    });
  }

  async #show(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    this.#say(t('room.last.asking'));
    const hours = this.querySelector('select')?.value ?? '6';
    const [asked, listed] = await Promise.all([ask(`${path}/history?hours=${hours}`), ask(`${path}/sources`)]);
    this.#isAsking = false;
    // The routes' schemas guarantee these types.
    const history = asked.ok ? (asked.body as unknown as SleepHistory) : null;
    const sources = listed.ok ? (listed.body as unknown as SleepSources) : null;
    const place = this.querySelector('[data-lanes]');
    if (history?.available === true && place !== null) {
      const names = new Map(sources?.items.map((item) => [item.source_key, item.name || item.entity_id]));
      redraw(place, String(RoomLast({ history, names })));
    }
    const fault = history?.detail ?? null;
    const why = asked.ok ? (fault === null ? '' : tOr(`room.last.fault.${fault}`, fault)) : asked.reason;
    const isShown = place?.firstElementChild !== null;
    this.#say(why !== '' && isShown ? t('room.last.kept', { why }) : why, why !== '');
    const button = this.querySelector('[data-show]');
    if (button !== null) button.textContent = t(why === '' ? 'room.last.show' : 'room.last.again');
  }

  #say(words: string, isRefused = false): void {
    note(this.querySelector('.said'), words, isRefused);
  }
}
