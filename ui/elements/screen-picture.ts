import type { StatusDocument } from '#machines/status.ts';
import { t } from '../strings/t.ts';
import { note } from './note.ts';
import { takePicture } from './take-picture.ts';

/** Delay between one picture and the next request, in milliseconds; never two requests at once. */
const againMs = 30_000;
/** How long a page takes to be drawn after a change, in milliseconds. */
const drawnMs = 2_000;

/** Phases in which the browser has drawn a page. */
const drawing: readonly string[] = ['waiting', 'showing', 'settings'];

/** What a picture depends on, as far as the status tells. */
const shownBy = ({ renderer, screen }: StatusDocument): string =>
  JSON.stringify([
    renderer?.phase,
    renderer?.glass,
    renderer?.place,
    renderer?.theme_effective,
    renderer?.navigation?.at,
    renderer?.restarts[renderer.restarts.length - 1]?.at,
    screen?.lit,
  ]);

/**
 * Puts pictures of the screen into the drawing while the page is visible: one when it opens, one after each change of
 * what is shown, and one every half minute. A dark screen is shown only on request. A separate script
 * (`screen-loader.ts`).
 */
export class SconceScreen extends HTMLElement {
  /** What the person chose; undefined before. */
  #chosen: boolean | undefined;
  /** True if the screen is not known to be dark, and the browser has something to take a picture of. */
  #isSeen = false;
  #shown = '';
  #isShowing = false;
  #isTaking = false;
  #timer: number | undefined;

  connectedCallback(): void {
    this.querySelector('button')?.addEventListener('click', () => {
      this.#chosen = !this.#isShowing;
      if (this.#chosen) void this.#next();
      else this.#hide('');
    });
    document.addEventListener('visibilitychange', () => {
      // The first status, which is about to come, tells whether the screen is dark.
      if (this.#shown !== '') this.#after(0);
    });
    this.addEventListener('status', (event) => {
      // What loads this script passes the newest status, if any.
      const { detail: status } = event as CustomEvent<StatusDocument | undefined>;
      if (status !== undefined) this.#follow(status);
    });
  }

  #follow(status: StatusDocument): void {
    const shown = shownBy(status);
    if (shown === this.#shown) return;
    const isFirst = this.#shown === '';
    this.#shown = shown;
    this.#isSeen = status.screen?.lit !== false && drawing.includes(status.renderer?.phase ?? '');
    if (!this.#isWanted()) this.#hide('');
    this.#after(isFirst ? 0 : drawnMs);
  }

  #isWanted(): boolean {
    return this.#chosen ?? ('auto' in this.dataset && this.#isSeen);
  }

  #after(ms: number): void {
    window.clearTimeout(this.#timer);
    if (document.hidden || !this.#isWanted()) return;
    this.#timer = window.setTimeout(() => void this.#next(), ms);
  }

  async #next(): Promise<void> {
    window.clearTimeout(this.#timer);
    if (this.#isTaking) return;
    this.#isTaking = true;
    const taken = await takePicture();
    this.#isTaking = false;
    if (!this.#isWanted()) return;
    if ('data' in taken) this.#show(taken.data);
    // A picture that comes by itself may also stay away.
    else if (this.#chosen === true) {
      this.#chosen = undefined;
      this.#hide(t('controls.failed', { reason: taken.reason }));
    }
    this.#after(againMs);
  }

  #show(data: string): void {
    // Looked up each time: the drawing around it is redrawn.
    const place = document.getElementById('glass-picture');
    place?.querySelector('image')?.setAttribute('href', data);
    place?.removeAttribute('hidden');
    if (!this.#isShowing && this.#chosen === true) note(this.querySelector('.said'), t('shot.shown'));
    this.#label(true);
  }

  #hide(refusal: string): void {
    window.clearTimeout(this.#timer);
    document.getElementById('glass-picture')?.setAttribute('hidden', '');
    note(this.querySelector('.said'), refusal, refusal !== '');
    this.#label(false);
  }

  #label(isShowing: boolean): void {
    this.#isShowing = isShowing;
    const button = this.querySelector('button');
    if (button !== null) button.textContent = t(isShowing ? 'shot.hide' : 'shot.take');
  }
}
