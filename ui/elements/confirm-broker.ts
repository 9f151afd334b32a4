import { t } from '../strings/t.ts';
import { announceIn } from './announce.ts';
import { ask, send } from './send.ts';

const path = '/api/v1/config/confirm-broker';

type Parts = Readonly<Record<string, string | number>>;

const isPart = (entry: [string, unknown]): entry is [string, string | number] =>
  typeof entry[1] === 'string' || typeof entry[1] === 'number';

const partsOf = (waiting: unknown): Parts | null =>
  typeof waiting === 'object' && waiting !== null ? Object.fromEntries(Object.entries(waiting).filter(isPart)) : null;

/**
 * Shows which broker awaits confirmation and confirms exactly that one, with its password if the panel asks for it;
 * the result appears in the status. A separate script, loaded only while a broker awaits confirmation.
 */
export class SconceConfirm extends HTMLElement {
  #shown: Parts | null = null;
  #isBusy = false;

  connectedCallback(): void {
    this.#button()?.addEventListener('click', () => void this.#confirm());
    // Never replace what a person may be reading with a broker found since; if it is outdated, the panel refuses the
    // confirmation.
    this.addEventListener('status', () => {
      if (this.#shown === null) void this.#show();
    });
    void this.#show();
  }

  #button(): HTMLButtonElement | null {
    return this.querySelector('button');
  }

  async #show(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    const answer = await ask(path);
    this.#isBusy = false;
    const shown = answer.ok ? partsOf(answer.body['waiting']) : null;
    this.#shown = shown;
    // Anyone on the network can choose the name, so each part is inserted as text in its own element.
    for (const place of Array.from(this.querySelectorAll<HTMLElement>('[data-waiting]')))
      place.textContent = String(shown?.[place.dataset['waiting'] ?? ''] ?? '');
    const list = this.querySelector('dl');
    if (list !== null) list.hidden = shown === null;
    const label = this.querySelector('label');
    if (label !== null) label.hidden = !answer.ok || answer.body['needs_password'] !== true;
    const button = this.#button();
    if (button !== null) button.disabled = shown === null;
  }

  async #confirm(): Promise<void> {
    const button = this.#button();
    if (button === null || this.#shown === null || button.getAttribute('aria-disabled') === 'true') return;
    button.setAttribute('aria-disabled', 'true');
    const field = this.querySelector('input');
    const password = field === null || field.value === '' ? {} : { password: field.value };
    const sent = await send(path, { ...this.#shown, ...password });
    if (sent.ok && field !== null) field.value = '';
    button.removeAttribute('aria-disabled');
    announceIn(
      document.querySelector('[data-said="broker"]'),
      sent.ok ? t('form.confirmed_broker') : t('controls.failed', { reason: sent.reason }),
    );
    if (!sent.ok) await this.#show();
  }
}
