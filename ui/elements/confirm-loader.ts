import { loadScript } from './load-script.ts';
import { onStatus } from './stream.ts';

/** Loads the confirmation script once a broker awaits confirmation, and passes each status to it. */
export function startConfirming(): void {
  let isLoading = false;
  onStatus(() => {
    const element = document.querySelector<HTMLElement>('sconce-confirm');
    if (element === null) return;
    element.dispatchEvent(new Event('status'));
    if (isLoading) return;
    isLoading = true;
    void loadScript(element.dataset['script'] ?? '').then((isLoaded) => {
      isLoading = isLoaded;
    });
  });
}
