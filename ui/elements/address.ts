import { Address } from '../parts/address.tsx';
import { t } from '../strings/t.ts';
import { say } from './announce.ts';
import { ask } from './send.ts';

/** How long nobody types until an address is checked. */
const PAUSE_MS = 800;
/** How long after a field is left, or a finger lifted, the page may move: until then that may be a click elsewhere. */
const CLICK_MS = 100;

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
  #isPressed = false;
  readonly #held: (() => void)[] = [];

  connectedCallback(): void {
    const input = this.closest('.field')?.querySelector('input');
    if (input === null || input === undefined) return;
    const label = input.labels?.[0]?.textContent ?? '';
    this.innerHTML = String(Address({ label }));
    this.#seen = input.value;
    this.#watchPointer();
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

  #watchPointer(): void {
    const lift = (): void => {
      this.#isPressed = false;
      window.setTimeout(() => {
        if (!this.#isPressed) for (const show of this.#held.splice(0)) show();
      }, CLICK_MS);
    };
    document.addEventListener('pointerdown', () => void (this.#isPressed = true), true);
    for (const kind of ['pointerup', 'pointercancel']) document.addEventListener(kind, lift, true);
  }

  /** Shows what moves the fields below, or waits until no finger is on one of them: it would miss what it pressed. */
  #show(show: () => void): void {
    if (this.#isPressed) this.#held.push(show);
    else show();
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
    say(this.querySelector('[data-probed]'), '');
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
    say(this.querySelector('[data-found]'), t(words, { address: found }));
    const offer = this.querySelector<HTMLElement>('[data-offer]');
    this.#show(() => {
      if (offer !== null) offer.hidden = input.value !== '';
    });
  }

  async #check(input: HTMLInputElement): Promise<void> {
    const { value } = input;
    if (value === '' || value === this.#checked) return;
    this.#checked = value;
    const turn = (this.#turn += 1);
    const line = this.querySelector('[data-probed]');
    const tell = (text: string): void =>
      this.#show(() => {
        if (turn === this.#turn) say(line, text);
      });
    tell(t('form.checking'));
    const answer = await ask(`${probes[input.name] ?? ''}?url=${encodeURIComponent(value)}`);
    if (turn !== this.#turn) return;
    if (!answer.ok) {
      // So that leaving the field tries again.
      this.#checked = '';
      tell(t('controls.failed', { reason: answer.reason }));
      return;
    }
    const { message } = answer.body;
    tell(typeof message === 'string' ? message : '');
  }
}
