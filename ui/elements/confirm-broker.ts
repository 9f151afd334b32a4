import { t } from '../strings/t.ts';
import { say } from './announce.ts';
import { send } from './send.ts';

/** The button that confirms the found broker; what comes of it shows in the status. */
export const startConfirming = (): void => {
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-confirm-broker]') : null;
    if (button === null || button.getAttribute('aria-disabled') === 'true') return;
    button.setAttribute('aria-disabled', 'true');
    const line = document.querySelector('[data-said="broker"]');
    void send('/api/v1/config/confirm-broker', {}).then((sent) => {
      button.removeAttribute('aria-disabled');
      say(line, sent.ok ? t('form.confirmed_broker') : t('controls.failed', { reason: sent.reason }));
    });
  });
};
