import type { StatusDocument } from '#machines/status.ts';
import { t } from '../strings/t.ts';
import { exact } from '../strings/times.ts';
import { announceIn } from './announce.ts';
import { ask } from './send.ts';

/**
 * "Check again": makes the panel probe its hardware now, and hands the status to the page as the event `checked`. A
 * separate script, loaded when its button is pressed.
 */
export class SconceCheck extends HTMLElement {
  connectedCallback(): void {
    const button = this.querySelector('button');
    const line = this.querySelector('.said');
    button?.addEventListener('click', () => {
      if (button.getAttribute('aria-disabled') === 'true') return;
      button.setAttribute('aria-disabled', 'true');
      announceIn(line, t('capabilities.checking'));
      void ask('/api/v1/status?refresh=1').then((answer) => {
        button.removeAttribute('aria-disabled');
        if (!answer.ok) {
          announceIn(line, t('controls.failed', { reason: answer.reason }));
          return;
        }
        // The route's schema guarantees this type.
        const detail = answer.body as unknown as StatusDocument;
        document.dispatchEvent(new CustomEvent('checked', { detail }));
        announceIn(line, t('capabilities.checked', { time: exact(Date.now()).slice(-8) }));
      });
    });
  }
}
