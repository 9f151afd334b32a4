import type { ProximityDocument } from '#machines/proximity/document.ts';
import { ProximityView } from '../parts/proximity-view.tsx';
import { t } from '../strings/t.ts';
import { announceIn } from './announce.ts';
import { redraw } from './morph.ts';
import { ask, send } from './send.ts';

/** How often the sensor is read, in milliseconds: during a calibration, and otherwise. */
const busyMs = 300;
const idleMs = 1_000;
/** Keep-alive interval of the page, in milliseconds (as in panel-assistant). */
const heartbeatMs = 5_000;
/** Storage key of this tab's own calibration, kept across a reload. */
const ownKey = 'sconce-proximity';

const path = '/api/v1/proximity';

/** The guided calibration: shows the current step, and keeps the session alive while the page is visible. */
export class SconceProximity extends HTMLElement {
  #doc: ProximityDocument | undefined;
  #beatAt = 0;
  #timer: number | undefined;

  connectedCallback(): void {
    this.addEventListener('click', (event) => {
      const button = event.target instanceof Element ? event.target.closest<HTMLElement>('button[data-px]') : null;
      if (button !== null) void this.#step(button.dataset['px'] ?? '');
    });
    document.addEventListener('visibilitychange', () => void this.#read());
    void this.#read();
  }

  async #read(): Promise<void> {
    window.clearTimeout(this.#timer);
    if (!document.hidden) {
      const answer = await ask(path);
      // The route's schema guarantees this type.
      if (answer.ok) this.#take(answer.body as unknown as ProximityDocument);
      await this.#beat();
    }
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#read(), this.#doc?.sessionActive === true ? busyMs : idleMs);
  }

  /** Only the tab that started a calibration keeps it alive; a forgotten tab elsewhere must not. */
  async #beat(): Promise<void> {
    const id = this.#doc?.sessionActive === true ? this.#doc.sessionId : null;
    if (id === null || id !== sessionStorage.getItem(ownKey) || performance.now() - this.#beatAt < heartbeatMs) return;
    this.#beatAt = performance.now();
    await this.#send('heartbeat', id);
  }

  async #step(action: string): Promise<void> {
    const id = this.#doc?.sessionId ?? undefined;
    const said = await this.#send(action, action === 'start' || action === 'reset' ? undefined : id);
    announceIn(
      document.querySelector('[data-said="proximity"]'),
      said === null ? '' : t('controls.failed', { reason: said }),
    );
    await this.#read();
  }

  /** Null on success, else the reason. */
  async #send(action: string, sessionId: string | undefined): Promise<string | null> {
    const sent = await send(
      `${path}/calibration`,
      { action, ...(sessionId === undefined ? {} : { sessionId }) },
      { headers: { 'X-Proximity-UI': '1' } },
    );
    if (!sent.ok) return sent.status === 409 ? t('proximity.not_now') : sent.reason;
    // As above.
    const doc = sent.body as unknown as ProximityDocument;
    if (action === 'start' && doc.sessionId !== null) sessionStorage.setItem(ownKey, doc.sessionId);
    this.#take(doc);
    return null;
  }

  #take(doc: ProximityDocument): void {
    this.#doc = doc;
    redraw(this, String(ProximityView({ doc })));
  }
}
