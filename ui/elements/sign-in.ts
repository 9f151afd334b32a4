import { Command } from '../parts/command.tsx';
import { hasKeyboard } from '../parts/keyboard.ts';
import { t } from '../strings/t.ts';
import { announceIn } from './announce.ts';
import { forgive, refuse } from './refusal.ts';
import { redraw } from './morph.ts';
import { ask, send } from './send.ts';
import { onStatus } from './stream.ts';

/** The page's appearance in a phase: it is only redrawn for another one. */
const appearanceOf = (phase: string): string => (phase === 'pending' || phase === 'refused' ? 'needed' : phase);

/** Codes of refused starts that are about the address of Home Assistant. */
const addressCodes: ReadonlySet<string> = new Set(['bad-address', 'no-address', 'address-loops-back']);

/** Retry delay for an address that did not answer, in milliseconds. */
const AGAIN_MS = 15_000;

/** The sign-in page: starts a sign-in here or as a link for another browser, and signs out. */
export class SconceSignIn extends HTMLElement {
  connectedCallback(): void {
    // The address of an outcome contains a used code, so a reload would be refused.
    if (window.location.pathname !== '/sign-in') window.history.replaceState(null, '', '/sign-in');
    for (const button of Array.from(this.querySelectorAll<HTMLButtonElement>('button[disabled]')))
      button.disabled = false;
    this.#on('[data-begin]', 'click', () => this.#begin());
    this.#on('[data-link-wanted]', 'click', () => this.#showLink());
    this.#on('[data-sign-out]', 'click', () => this.#signOut());
    this.#on('[data-address]', 'submit', (event) => {
      event.preventDefault();
      return this.#begin(this.querySelector<HTMLInputElement>('[name=ha_url]')?.value ?? '');
    });
    this.#on('[name=ha_url]', 'input', () => {
      const field = this.#field();
      if (field !== null) forgive(field);
      return Promise.resolve();
    });
    void this.#probe();
    const drawn = appearanceOf(this.dataset['phase'] ?? '');
    onStatus((status) => {
      const signIn = status.sign_in;
      if (signIn === null) return;
      // The name of the user is known a moment after the sign-in itself.
      const isNamed = signIn.phase !== 'signed-in' || signIn.administrator === null || this.dataset['named'] === '1';
      // Set on the panel's own screen only.
      const { keyboard } = this.dataset;
      const isPlugged = keyboard !== undefined && keyboard !== String(hasKeyboard(status));
      if (appearanceOf(signIn.phase) !== drawn || !isNamed || isPlugged) this.#drawAnew();
    });
  }

  #on(selector: string, type: string, act: (event: Event) => Promise<void>): void {
    this.querySelector(selector)?.addEventListener(type, (event) => void act(event));
  }

  /** Reloads the page, once; an outcome stays visible until its reader leaves it. */
  #drawAnew(): void {
    if (this.querySelector('.outcome') !== null && this.dataset['phase'] === 'signed-in') {
      void this.#readName();
      return;
    }
    window.location.replace('/sign-in');
  }

  async #readName(): Promise<void> {
    this.dataset['named'] = '1';
    const response = await fetch('/sign-in', { headers: { Accept: 'text/html' } }).catch(() => null);
    if (response?.ok !== true) return;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const name = page.querySelector('[data-name]')?.textContent;
    const own = this.querySelector('[data-name]');
    if (name !== null && name !== undefined && own !== null) own.textContent = name.trim();
  }

  /** Shows before a sign-in that the panel cannot reach Home Assistant, until it can. */
  async #probe(): Promise<void> {
    const line = this.querySelector<HTMLElement>('[data-unreachable]');
    if (line === null || this.dataset['phase'] === 'signed-in') return;
    const asked = await ask(
      `/api/v1/config/probe-home-assistant?url=${encodeURIComponent(this.dataset['home'] ?? '')}`,
    );
    const reason = asked.ok && asked.body['ok'] === false ? String(asked.body['message']) : '';
    this.#tellAddress(line, reason);
    if (asked.ok) this.#offer(reason !== '');
    // An interrupted check is no answer, and an address that does not answer now may answer later.
    if (reason !== '' || !asked.ok) window.setTimeout(() => void this.#probe(), AGAIN_MS);
  }

  /** Shows beside the sign-in why it is not possible; "" if it is. */
  #tellAddress(line: HTMLElement, reason: string): void {
    line.hidden = reason === '';
    announceIn(line.querySelector('span'), reason === '' ? '' : t('signing.unreachable', { reason }));
  }

  /** If nothing answers, the address field comes first, and its message appears only once. */
  #offer(fails: boolean): void {
    const correct = this.querySelector<HTMLElement>('[data-correct]');
    if (correct !== null) correct.hidden = !fails;
    const others = this.querySelectorAll<HTMLElement>('[data-detail], [data-change], [data-link-wanted]');
    for (const other of Array.from(others)) other.hidden = fails;
    const begin = this.querySelector('[data-begin]');
    for (const name of ['primary', 'big']) begin?.classList.toggle(name, !fails);
  }

  #say(words: string): void {
    const said = this.querySelector('[data-said]');
    if (said !== null) said.textContent = words;
  }

  #field(): HTMLElement | null {
    return this.querySelector<HTMLElement>('[data-field=ha_url]');
  }

  /** Shows at the address field why it cannot be used; false if there is no such field. */
  #refuseAddress(reason: string): boolean {
    const field = this.#field();
    if (field === null) return false;
    this.#say('');
    refuse(field, reason)?.focus({ preventScroll: true });
    field.scrollIntoView({ block: 'nearest' });
    return true;
  }

  async #start(address?: string): Promise<string | null> {
    const sent = await send('/api/v1/ha/oauth/start', address === undefined ? {} : { ha_url: address });
    const url = sent.ok ? sent.body['authorization_url'] : undefined;
    if (typeof url === 'string') return url;
    if (!sent.ok && addressCodes.has(sent.error) && this.#refuseAddress(sent.reason)) return null;
    const line = this.querySelector<HTMLElement>('[data-unreachable]');
    if (line !== null && !sent.ok && sent.error === 'bad-address') {
      this.#say('');
      this.#tellAddress(line, sent.reason);
      this.#offer(true);
      return null;
    }
    this.#say(t('signing.failed', { reason: sent.ok ? t('error.unexpected', { status: 200 }) : sent.reason }));
    return null;
  }

  async #begin(address?: string): Promise<void> {
    if (address?.trim() === '' && this.#refuseAddress(t('signing.missing'))) return;
    this.#say(t('signing.going'));
    const url = await this.#start(address);
    if (url !== null) window.location.assign(url);
  }

  async #showLink(): Promise<void> {
    const url = await this.#start();
    const place = this.querySelector<HTMLElement>('[data-link]');
    if (url === null || place === null) return;
    this.#say('');
    place.hidden = false;
    redraw(place, Command({ fix: { command: url, effect: t('signing.link') } }).toString());
  }

  async #signOut(): Promise<void> {
    this.#say(t('signing.out'));
    const sent = await send('/api/v1/ha/oauth/sign-out', {});
    if (sent.ok) window.location.replace('/sign-in');
    else this.#say(t('signing.not_out', { reason: sent.reason }));
  }
}
