import { t } from '../strings/t.ts';
import { announceIn } from './announce.ts';
import { send, whyNot } from './send.ts';

/** "Clear and reload": asks first, then makes the panel clear the dashboard's browser storage. */
export class SconceStorage extends HTMLElement {
  connectedCallback(): void {
    this.addEventListener('click', (event) => {
      const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-storage]') : null;
      const dialog = this.querySelector('dialog');
      if (button === null || dialog === null) return;
      const word = button.dataset['storage'];
      if (word === 'ask') {
        dialog.showModal();
        return;
      }
      dialog.close();
      if (word === 'yes') void this.#clear();
    });
  }

  async #clear(): Promise<void> {
    const line = this.querySelector('.said');
    const beside = { line: () => line, button: this.querySelector<HTMLElement>('[data-storage="ask"]') };
    const sent = await send('/api/v1/dashboard/clear-storage', {}, { beside });
    announceIn(line, sent.ok ? t('storage.done') : whyNot(sent));
  }
}
