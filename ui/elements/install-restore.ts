import type { RestoreDocument } from '#machines/backup/document.ts';
import { RestorePreviewView } from '../parts/install-preview.tsx';
import { t } from '../strings/t.ts';
import { begunHere } from './install-job.ts';
import { redraw } from './morph.ts';
import { note } from './note.ts';
import { hidePassword, startPasswordToggle } from './password-toggle.ts';
import { askPerson } from './question.ts';
import { type Sent, sendBy, whyNot } from './send.ts';

/** The UTF-8 bytes of a text, one character each: a header takes no others. */
const bytesAsText = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');

interface Shown {
  readonly doc: RestoreDocument;
  readonly file: File;
}

/** Shows what a backup would change, then restores exactly that file. */
export class SconceRestore extends HTMLElement {
  /** The preview that is shown; null without one. */
  #shown: Shown | null = null;

  connectedCallback(): void {
    for (const button of Array.from(this.querySelectorAll('button'))) button.disabled = false;
    startPasswordToggle(this);
    this.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#look();
    });
    // What is shown belongs to the file, the passphrase and the switch as they were.
    this.addEventListener('change', () => this.#show(null));
    this.querySelector('[data-restore]')?.addEventListener('click', () => void this.#restore());
  }

  #input(id: string): HTMLInputElement | null {
    return this.querySelector<HTMLInputElement>(`#restore-${id}`);
  }

  #say(words: string, refused = false): void {
    note(this.querySelector('[data-note]'), words, refused);
  }

  #show(shown: Shown | null): void {
    this.#shown = shown;
    const place = this.querySelector('[data-preview]');
    if (place !== null)
      redraw(place, shown === null ? '' : String(RestorePreviewView({ doc: shown.doc, now: Date.now() })));
    const button = this.querySelector<HTMLButtonElement>('[data-restore]');
    if (button !== null) button.hidden = shown === null;
  }

  #send(file: File, query: string): Promise<Sent> {
    const passphrase = this.#input('passphrase')?.value ?? '';
    const replaces = this.#input('replaces')?.checked === true ? '&replaces=1' : '';
    const path = `/api/v1/restore?${query}${replaces}`;
    const headers = {
      'Content-Type': 'application/octet-stream',
      ...(passphrase !== '' && { 'X-Backup-Passphrase': bytesAsText(passphrase) }),
    };
    // Another file, or another passphrase, is another request, also while the first waits for a person.
    const request = JSON.stringify([path, passphrase, file.name, file.size, file.lastModified]);
    return sendBy(request, () => fetch(path, { method: 'POST', headers, body: file }), {
      beside: { line: () => this.querySelector('[data-note]') },
    });
  }

  async #look(): Promise<void> {
    const file = this.#input('file')?.files?.[0];
    this.#show(null);
    if (file === undefined) return this.#say(t('install.restore.none'), true);
    this.#say(t('install.restore.sending'));
    const sent = await this.#send(file, 'dry_run=1');
    if (!sent.ok) return this.#say(whyNot(sent), true);
    this.#say('');
    // The route's schema guarantees this type.
    this.#show({ doc: sent.body as unknown as RestoreDocument, file });
  }

  async #restore(): Promise<void> {
    const shown = this.#shown;
    if (shown === null) return;
    const { doc, file } = shown;
    const agreed = await askPerson('install-question', {
      title: t('install.restore.ask'),
      texts: [
        t('install.restore.ask_change', { count: doc.changes.length }),
        t(`install.restore.origin.${doc.origin}`),
        t('install.restore.ask_restart'),
      ],
      yes: t('install.restore.do'),
    });
    if (!agreed) return;
    this.#say(t('install.restore.sending'));
    const sent = await this.#send(file, 'dry_run=0');
    if (!sent.ok) return this.#say(whyNot(sent), true);
    this.#say('');
    this.#show(null);
    hidePassword(this);
    this.querySelector('form')?.reset();
    window.scrollTo(0, 0);
    begunHere();
  }
}
