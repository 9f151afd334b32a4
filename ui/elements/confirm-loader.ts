import { loadScript } from './load-script.ts';
import { onStatus } from './stream.ts';

/** Loads the script that confirms a broker once one waits, and passes each status on to it. */
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
