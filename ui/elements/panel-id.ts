import { t } from '../strings/t.ts';
import { announceIn } from './announce.ts';
import { checkSetting } from './check-setting.ts';
import { IdFollower } from './id-follower.ts';
import { askPerson } from './question.ts';
import { ask } from './send.ts';
import { latestStatus, onStatus } from './stream.ts';

/** The panel id field: shows what the id becomes, offers a free one, and asks before it changes. */
export class PanelId {
  readonly #line: HTMLElement | null;
  readonly #follower = new IdFollower();
  /** Takes a free id while another machine has this panel's; null until that was so. */
  #free: HTMLButtonElement | null = null;
  /** What the status said of the other machine when the free id was asked for; it names that id, which may change. */
  #asked = '';

  constructor(form: HTMLElement) {
    this.#line = form.querySelector('[data-becomes]');
    if (this.#line !== null)
      onStatus(({ platform }) => void this.#offerFree(platform?.phase === 'duplicate' ? platform.detail : ''));
    form.addEventListener('input', ({ target }) => {
      if (!(target instanceof HTMLInputElement) || target.name !== 'panel_id') return;
      const { value } = target;
      this.#follower.follow(value, (becomes) => this.show(becomes === value ? '' : becomes));
    });
  }

  /** Offers a free id; `taken` is the sentence on the machine that has this panel's, "" while none has. */
  async #offerFree(taken: string): Promise<void> {
    if (this.#free !== null) this.#free.hidden = taken === '';
    if (taken === this.#asked) return;
    this.#asked = taken;
    if (taken === '') return;
    const answer = await ask('/api/v1/setup');
    if (taken !== this.#asked) return;
    const id = answer.ok ? answer.body['free_id'] : null;
    if (typeof id !== 'string') {
      this.#asked = '';
      return;
    }
    this.#free ??= this.#freeButton();
    this.#free.value = id;
    this.#free.textContent = t('setup.identity.take', { id });
    this.#free.hidden = false;
  }

  #freeButton(): HTMLButtonElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'button';
    button.addEventListener('click', () => {
      const input = this.#line?.closest('.field')?.querySelector('input');
      if (!input) return;
      input.value = button.value;
      input.dispatchEvent(new Event('input', { bubbles: true }));
    });
    this.#line?.insertAdjacentElement('afterend', button);
    return button;
  }

  /** Shows what the id becomes; nothing for "". */
  show(becomes: string): void {
    this.#follower.drop();
    if (this.#line === null) return;
    this.#line.hidden = becomes === '';
    announceIn(this.#line, becomes === '' ? '' : t('form.becomes', { id: becomes }));
    // The save bar covers what is below the field.
    if (becomes !== '') this.#line.scrollIntoView({ block: 'nearest' });
  }

  /** Asks before a change of the id, which makes the panel another device. The panel itself refuses an invalid id. */
  async isMeant(value: string): Promise<boolean> {
    const checked = await checkSetting('panel_id', value);
    const status = latestStatus();
    const id = checked?.ok === true && typeof checked.value === 'string' ? checked.value : value;
    if (checked?.ok === false || id === status?.panel.id) return true;
    const count = status?.platform?.announced.length ?? 0;
    return askPerson('new-device', {
      title: id === '' ? t('form.id_chosen') : t('form.id_becomes', { id }),
      texts: [count === 0 ? t('form.new_device_only') : t('form.new_device', { count })],
      yes: t('form.change'),
    });
  }
}
