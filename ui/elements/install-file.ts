import type { ImportDocument } from '../parts/install-documents.ts';
import { ImportPreviewView } from '../parts/install-preview.tsx';
import { t } from '../strings/t.ts';
import { JOB_ENDED } from './install-job.ts';
import { redraw } from './morph.ts';
import { note } from './note.ts';
import { askPerson } from './question.ts';
import { saveAttachment } from './save-file.ts';
import { messageOf, send, sendBy, whyNot } from './send.ts';

const exportPath = '/api/v1/config/export?include_secrets=1';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The JSON of a file of settings; null if it is none. */
async function bundleOf(file: File): Promise<Readonly<Record<string, unknown>> | null> {
  try {
    const bundle: unknown = await new Response(file).json();
    return isObject(bundle) ? bundle : null;
  } catch {
    return null;
  }
}

interface Shown {
  readonly doc: ImportDocument;
  /** The parsed file that it is of. */
  readonly bundle: unknown;
  readonly mode: 'fleet' | 'restore';
}

/** Saves the settings with passwords, and imports a file of settings after a preview. */
export class SconceSettingsFile extends HTMLElement {
  /** The preview that is shown; null without one. */
  #shown: Shown | null = null;

  connectedCallback(): void {
    for (const button of Array.from(this.querySelectorAll('button'))) button.disabled = false;
    this.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#look();
    });
    this.addEventListener('change', () => this.#show(null));
    this.querySelector('[data-export]')?.addEventListener('click', () => void this.#export());
    this.querySelector('[data-import]')?.addEventListener('click', () => void this.#import());
  }

  #say(words: string, refused = false): void {
    note(this.querySelector('[data-note]'), words, refused);
  }

  #show(shown: Shown | null): void {
    this.#shown = shown;
    const place = this.querySelector('[data-preview]');
    if (place !== null) redraw(place, shown === null ? '' : String(ImportPreviewView({ doc: shown.doc })));
    const button = this.querySelector<HTMLButtonElement>('[data-import]');
    if (button !== null) button.hidden = shown === null || shown.doc.changes.length === 0;
  }

  async #export(): Promise<void> {
    this.#say('');
    const sent = await sendBy(exportPath, () => fetch(exportPath), {
      take: saveAttachment,
      beside: { line: () => this.querySelector('[data-note]') },
    });
    if (sent.ok) this.#say(t('install.backup.made', { name: String(sent.body['name']) }));
    else this.#say(whyNot(sent), true);
  }

  async #look(): Promise<void> {
    const file = this.querySelector<HTMLInputElement>('#settings-file')?.files?.[0];
    this.#show(null);
    if (file === undefined) return this.#say(t('install.restore.none'), true);
    const bundle = await bundleOf(file);
    if (bundle === null) return this.#say(t('install.file.unreadable'), true);
    const mode = this.querySelector<HTMLInputElement>('#file-fleet')?.checked === true ? 'fleet' : 'restore';
    const sent = await send(`/api/v1/config/import?dry_run=1&mode=${mode}`, bundle);
    if (!sent.ok) return this.#say(whyNot(sent), true);
    this.#say('');
    // The route's schema guarantees this type.
    this.#show({ doc: sent.body as unknown as ImportDocument, bundle, mode });
  }

  async #import(): Promise<void> {
    const shown = this.#shown;
    if (shown === null) return;
    const { doc, bundle, mode } = shown;
    const agreed = await askPerson('install-question', {
      title: t('install.file.ask'),
      texts: [t('install.restore.ask_change', { count: doc.changes.length }), t('install.revisions.ask_undo')],
      yes: t('install.file.do'),
    });
    if (!agreed) return;
    const sent = await send(`/api/v1/config/import?mode=${mode}&expected_cfg=${doc.expected_cfg}`, bundle, {
      beside: { line: () => this.querySelector('[data-note]') },
    });
    if (!sent.ok) return this.#say(whyNot(sent), true);
    this.#show(null);
    this.querySelector('form')?.reset();
    this.#say(messageOf(sent.body));
    document.dispatchEvent(new Event(JOB_ENDED));
  }
}
