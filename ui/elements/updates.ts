import { t } from '../strings/t.ts';
import { announceIn } from './announce.ts';
import { send } from './send.ts';

/** "Look for updates": makes the panel ask once; the answer comes with the status. */
export class SconceUpdates extends HTMLElement {
  connectedCallback(): void {
    const line = this.querySelector('.said');
    this.querySelector('button')?.addEventListener('click', () => {
      announceIn(line, '');
      void send('/api/v1/updates/check', {}).then((sent) => {
        if (!sent.ok) announceIn(line, t('controls.failed', { reason: sent.reason }));
      });
    });
  }
}
