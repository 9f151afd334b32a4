import type { RevisionDocument } from '../parts/install-documents.ts';
import { RevisionsView } from '../parts/install-revisions.tsx';
import { t } from '../strings/t.ts';
import { exact } from '../strings/times.ts';
import { JOB_ENDED } from './install-job.ts';
import { redraw } from './morph.ts';
import { note } from './note.ts';
import { askPerson } from './question.ts';
import { messageOf, send, whyNot } from './send.ts';

const path = '/api/v1/config/revisions';

/** Lists the earlier settings, and returns to one of them. */
export class SconceRevisions extends HTMLElement {
  connectedCallback(): void {
    this.addEventListener('click', ({ target }) => {
      const button = target instanceof Element ? target.closest<HTMLButtonElement>('[data-revision]') : null;
      if (button !== null) void this.#restore(button);
    });
    document.addEventListener(JOB_ENDED, () => void this.#read());
    this.#enable();
  }

  #enable(): void {
    for (const button of Array.from(this.querySelectorAll<HTMLButtonElement>('[data-revision]')))
      button.disabled = false;
  }

  async #read(): Promise<void> {
    const response = await fetch(path).catch(() => null);
    const place = this.querySelector('[data-revisions]');
    if (response?.ok !== true || place === null) return;
    // The route's schema guarantees this type.
    const revisions = (await response.json()) as readonly RevisionDocument[];
    redraw(place, String(RevisionsView({ revisions, now: Date.now() })));
    this.#enable();
  }

  async #restore(button: HTMLButtonElement): Promise<void> {
    const { revision, at } = button.dataset;
    const agreed = await askPerson('install-question', {
      title: t('install.revisions.ask', { time: exact(Number(at)) }),
      texts: [t('install.revisions.ask_undo'), t('install.revisions.ask_secrets')],
      yes: t('install.revisions.do'),
    });
    if (!agreed) return;
    const line = this.querySelector('[data-note]');
    note(line, '');
    const sent = await send(`${path}/${revision}/restore`, {}, { beside: { line: () => line, button } });
    note(line, sent.ok ? messageOf(sent.body) : whyNot(sent), !sent.ok);
    await this.#read();
  }
}
