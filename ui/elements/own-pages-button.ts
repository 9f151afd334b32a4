import { t } from '../strings/t.ts';
import { announceIn } from './announce.ts';
import { closest } from './closest.ts';
import { send, whyNot } from './send.ts';

/** Makes the panel show its own pages on its screen, where no menu may lead to them. */
async function openOwnPages(): Promise<void> {
  const sent = await send('/api/v1/action', { a: 'own_pages' });
  // Found after the answer: it may have been drawn again meanwhile.
  announceIn(document.querySelector('[data-own-said]'), sent.ok ? t('security.opened_there') : whyNot(sent));
}

/** Starts the button that opens the panel's own pages on its screen. */
export function startOwnPagesButton(): void {
  document.addEventListener('click', (event) => {
    if (closest(event, '[data-own-pages]') !== null) void openOwnPages();
  });
}
