import { t } from '../strings/t.ts';
import { begunHere } from './install-job.ts';
import { note } from './note.ts';
import { hidePassword, startPasswordToggle } from './password-toggle.ts';
import { saveAttachment } from './save-file.ts';
import { sendBy, whyNot } from './send.ts';

/** Makes a backup and saves it in the browser. */
export class SconceBackup extends HTMLElement {
  connectedCallback(): void {
    for (const button of Array.from(this.querySelectorAll('button'))) button.disabled = false;
    startPasswordToggle(this);
    this.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#make({ passphrase: this.#passphrase() });
    });
    this.querySelector('[data-plain]')?.addEventListener('click', () => void this.#make({ allow_plaintext: true }));
  }

  #passphrase(): string {
    return this.querySelector<HTMLInputElement>('#backup-passphrase')?.value ?? '';
  }

  async #make(how: Readonly<Record<string, string | boolean>>): Promise<void> {
    const line = this.querySelector('[data-note]');
    const companion = this.querySelector<HTMLInputElement>('#backup-companion')?.checked;
    const body = JSON.stringify({ ...how, ...(companion !== undefined && { include_companion: companion }) });
    note(line, t('install.backup.making'));
    begunHere();
    const sends = (): Promise<Response> =>
      fetch('/api/v1/backup', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    const sent = await sendBy(`backup ${body}`, sends, { take: saveAttachment, beside: { line: () => line } });
    if (!sent.ok) return note(line, sent.reasons['passphrase'] ?? whyNot(sent), true);
    hidePassword(this);
    const { name, state } = sent.body;
    const words = state === 'unavailable' ? 'install.backup.incomplete' : 'install.backup.made';
    note(line, t(words, { name: String(name) }), state === 'unavailable');
    begunHere();
  }
}
