import { loadBeside } from './load-script.ts';
import { onStatus } from './stream.ts';

/** Loads the confirmation script once a broker awaits confirmation, and passes each status to it. */
export function startConfirming(): void {
  onStatus(() => {
    const element = document.querySelector('sconce-confirm');
    if (element === null) return;
    element.dispatchEvent(new Event('status'));
    void loadBeside('confirm-broker');
  });
}
