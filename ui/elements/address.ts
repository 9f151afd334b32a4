import { Address } from '../parts/address.tsx';
import { t } from '../strings/t.ts';
import { announceIn } from './announce.ts';
import { note } from './note.ts';
import { ask } from './send.ts';
import { CLICK_MS, watchPointer, afterPointerRelease } from './after-pointer-release.ts';

/** Pause in typing before an address is checked, in milliseconds. */
const PAUSE_MS = 800;

let discovery: ReturnType<typeof ask> | null = null;

/** What the panel found; looked up once for all empty fields of the page. */
const discovered = (): ReturnType<typeof ask> => (discovery ??= ask('/api/v1/config/discovery'));

/** What is said of an address that is offered. */
type Offered = 'form.found_broker' | 'form.found_home_assistant' | 'form.found_beside';

/** The route that checks each address; it sends no credentials. */
const probes: Readonly<Record<string, string>> = {
  mqtt_broker: '/api/v1/config/probe-broker',
  ha_url: '/api/v1/config/probe-home-assistant',
};

/**
 * Beside an address field: says whether anything answers there, and offers a discovered address while the field is
 * empty; with `data-take` it fills that in automatically.
 */
export class SconceAddress extends HTMLElement {
  /** The last address checked; empty once the field has another. */
  #checked = '';
  /** The last value of the field. */
  #seen = '';
  /** Incremented whenever a pending answer becomes stale. */
  #turn = 0;
  #pause: number | undefined;
  #found = '';

  connectedCallback(): void {
    const input = this.#input;
    if (input === null) return;
    const label = input.labels?.[0]?.textContent ?? '';
    this.innerHTML = String(Address({ label }));
    this.#seen = input.value;
    watchPointer();
    input.addEventListener('input', () => {
      this.#follow(input);
      this.#checkIn(PAUSE_MS, input);
    });
    input.addEventListener('blur', () => this.#checkIn(CLICK_MS, input));
    // Undo and Discard change the field without firing an input event.
    document.addEventListener('click', () => {
      if (input.value !== this.#seen) this.#follow(input);
    });
    this.querySelector('button')?.addEventListener('click', () => {
      input.value = this.#found;
      input.dispatchEvent(new Event('input', { bubbles: true }));
      input.focus();
    });
    if (input.value === '') void this.#discover(input);
  }

  /** True if the field is empty and nothing was discovered for it. */
  async isOpenToOffers(): Promise<boolean> {
    await discovered();
    return this.#found === '' && this.#input?.value === '';
  }

  /** Offers an address at which something answered just now; with `data-take`, fills it into the field. */
  offer(found: string, words: Offered): void {
    const input = this.#input;
    if (input === null || this.#found !== '') return;
    this.#show(input, found, words);
    // It needs no second check.
    if (input.value !== found) return;
    window.clearTimeout(this.#pause);
    this.#checked = found;
    note(this.querySelector('[data-probed]'), t(words, { address: found }));
  }

  /** Drops a check that is due or under way, since the address is being saved: its result would be out of date. */
  drop(): void {
    window.clearTimeout(this.#pause);
    this.#turn += 1;
    this.#checked = this.#input?.value ?? '';
    note(this.querySelector('[data-probed]'), '');
  }

  get #input(): HTMLInputElement | null {
    return this.closest('.field')?.querySelector('input') ?? null;
  }

  #checkIn(ms: number, input: HTMLInputElement): void {
    window.clearTimeout(this.#pause);
    this.#pause = window.setTimeout(() => void this.#check(input), ms);
  }

  /** Drops messages about another address, and offers a discovered address only for an empty field. */
  #follow(input: HTMLInputElement): void {
    this.#turn += 1;
    this.#checked = '';
    this.#seen = input.value;
    window.clearTimeout(this.#pause);
    note(this.querySelector('[data-probed]'), '');
    const offer = this.querySelector<HTMLElement>('[data-offer]');
    if (offer !== null) offer.hidden = this.#found === '' || input.value !== '';
  }

  async #discover(input: HTMLInputElement): Promise<void> {
    const answer = await discovered();
    const found = answer.ok ? answer.body[input.name] : null;
    if (typeof found !== 'string' || found === '') return;
    this.#show(input, found, input.name === 'mqtt_broker' ? 'form.found_broker' : 'form.found_home_assistant');
  }

  #show(input: HTMLInputElement, found: string, words: Offered): void {
    this.#found = found;
    // The input event also checks the address; a field with the focus is left alone.
    if (this.hasAttribute('data-take') && input.value === '' && document.activeElement !== input) {
      input.value = found;
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }
    // Anyone on the network can choose this address, so it is inserted as text.
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
      // Lets the next blur retry.
      this.#checked = '';
      show(t('controls.failed', { reason: answer.reason }));
      return;
    }
    const { message, ok, error } = answer.body;
    // An address that cannot be meant yet is no fault while it is being typed; once the field is left, it is.
    if (error === 'invalid-url' && document.activeElement === input) {
      this.#checked = '';
      show('');
      return;
    }
    show(typeof message === 'string' ? message : '', ok === false);
  }
}
