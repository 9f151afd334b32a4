import { Address } from '../parts/address.tsx';
import { t } from '../strings/t.ts';
import { announceIn } from './announce.ts';
import { note } from './note.ts';
import { ask } from './send.ts';
import { CLICK_MS, watchPointer, afterPointerRelease } from './after-pointer-release.ts';

/** How long nobody types until an address is checked. */
const PAUSE_MS = 800;

let discovery: ReturnType<typeof ask> | null = null;

/** What the panel found, looked for once for all fields of the page that are empty. */
const discovered = (): ReturnType<typeof ask> => (discovery ??= ask('/api/v1/config/discovery'));

/** Where each address is checked; without credentials. */
const probes: Readonly<Record<string, string>> = {
  mqtt_broker: '/api/v1/config/probe-broker',
  ha_url: '/api/v1/config/probe-home-assistant',
};

/**
 * Beside the field of an address: says whether anything answers there, and offers what was found while it is empty;
 * with `data-take` it puts that in by itself.
 */
export class SconceAddress extends HTMLElement {
  /** The address that was checked last; empty while what was said would be about another. */
  #checked = '';
  /** The value that was seen last. */
  #seen = '';
  /** Counts what makes an answer that is under way a late one. */
  #turn = 0;
  #pause: number | undefined;
  #found = '';

  connectedCallback(): void {
    const input = this.closest('.field')?.querySelector('input');
    if (input === null || input === undefined) return;
    const label = input.labels?.[0]?.textContent ?? '';
    this.innerHTML = String(Address({ label }));
    this.#seen = input.value;
    watchPointer();
    input.addEventListener('input', () => {
      this.#follow(input);
      this.#checkIn(PAUSE_MS, input);
    });
    input.addEventListener('blur', () => this.#checkIn(CLICK_MS, input));
    // Undo and Discard change the field without an event of its own.
    document.addEventListener('click', () => {
      if (input.value !== this.#seen) this.#follow(input);
    });
    this.querySelector('button')?.addEventListener('click', () => {
      input.value = this.#found;
      input.dispatchEvent(new Event('input', { bubbles: true }));
      input.focus();
    });
    if (input.value === '') void this.#offer(input);
  }

  #checkIn(ms: number, input: HTMLInputElement): void {
    window.clearTimeout(this.#pause);
    this.#pause = window.setTimeout(() => void this.#check(input), ms);
  }

  /** Drops what was said of another address, and offers what was found only to an empty field. */
  #follow(input: HTMLInputElement): void {
    this.#turn += 1;
    this.#checked = '';
    this.#seen = input.value;
    window.clearTimeout(this.#pause);
    note(this.querySelector('[data-probed]'), '');
    const offer = this.querySelector<HTMLElement>('[data-offer]');
    if (offer !== null) offer.hidden = this.#found === '' || input.value !== '';
  }

  async #offer(input: HTMLInputElement): Promise<void> {
    const answer = await discovered();
    const found = answer.ok ? answer.body[input.name] : null;
    if (typeof found !== 'string' || found === '') return;
    this.#found = found;
    // Who came here to enter it reads what stands in the field, and is told whether it answers.
    if (this.hasAttribute('data-take') && input.value === '' && document.activeElement !== input) {
      input.value = found;
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }
    // Anybody on the network chooses the address: it is text.
    const words = input.name === 'mqtt_broker' ? 'form.found_broker' : 'form.found_home_assistant';
    announceIn(this.querySelector('[data-found]'), t(words, { address: found }));
    const offer = this.querySelector<HTMLElement>('[data-offer]');
    afterPointerRelease(() => {
      if (offer !== null) offer.hidden = input.value !== '';
    });
  }

  async #check(input: HTMLInputElement): Promise<void> {
    const { value } = input;
    if (value === '' || value === this.#checked) return;
    this.#checked = value;
    const turn = (this.#turn += 1);
    const line = this.querySelector('[data-probed]');
    const show = (text: string, refused = false): void =>
      afterPointerRelease(() => {
        if (turn === this.#turn) note(line, text, refused);
      });
    show(t('form.checking'));
    const answer = await ask(`${probes[input.name] ?? ''}?url=${encodeURIComponent(value)}`);
    if (turn !== this.#turn) return;
    if (!answer.ok) {
      // So that leaving the field tries again.
      this.#checked = '';
      show(t('controls.failed', { reason: answer.reason }));
      return;
    }
    const { message, ok } = answer.body;
    show(typeof message === 'string' ? message : '', ok === false);
  }
}
