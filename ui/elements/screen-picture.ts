import { t } from '../strings/t.ts';
import { note } from './note.ts';
import { read } from './send.ts';

/** Delay between one picture and the next request, in milliseconds; never two requests at once. */
const againMs = 5_000;

const dataOf = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    // `readAsDataURL` yields a string.
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () => reject(new Error('unreadable')));
    reader.readAsDataURL(blob);
  });

async function takePicture(): Promise<{ readonly data: string } | { readonly reason: string }> {
  try {
    const response = await fetch('/api/v1/screenshot.png');
    if (response.ok) return { data: await dataOf(await response.blob()) };
    const refused = await read(response);
    return { reason: refused.ok ? '' : refused.reason };
  } catch {
    return { reason: t('error.unreachable') };
  }
}

/** "Show what is on the screen": puts screen pictures into the drawing, one after another until hidden. */
export class SconceScreen extends HTMLElement {
  #shown = false;
  #timer: number | undefined;

  connectedCallback(): void {
    this.querySelector('button')?.addEventListener('click', () => {
      if (this.#shown) this.#end('');
      else void this.#begin();
    });
    document.addEventListener('visibilitychange', () => {
      window.clearTimeout(this.#timer);
      if (this.#shown && !document.hidden) void this.#next();
    });
  }

  async #begin(): Promise<void> {
    this.#shown = true;
    this.#label('shot.hide');
    await this.#next();
  }

  async #next(): Promise<void> {
    window.clearTimeout(this.#timer);
    const taken = await takePicture();
    if (!this.#shown) return;
    if ('reason' in taken) {
      this.#end(t('controls.failed', { reason: taken.reason }));
      return;
    }
    // Looked up each time: the drawing around it is redrawn.
    const place = document.getElementById('glass-picture');
    place?.querySelector('image')?.setAttribute('href', taken.data);
    place?.removeAttribute('hidden');
    note(this.querySelector('.said'), t('shot.shown'));
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      if (!document.hidden) void this.#next();
    }, againMs);
  }

  #end(refusal: string): void {
    this.#shown = false;
    window.clearTimeout(this.#timer);
    document.getElementById('glass-picture')?.setAttribute('hidden', '');
    this.#label('shot.take');
    note(this.querySelector('.said'), refusal, refusal !== '');
  }

  #label(key: 'shot.take' | 'shot.hide'): void {
    const button = this.querySelector('button');
    if (button !== null) button.textContent = t(key);
  }
}
