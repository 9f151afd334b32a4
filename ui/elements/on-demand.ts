import { t } from '../strings/t.ts';
import { closest } from './closest.ts';
import { note, noteOf } from './note.ts';

/**
 * Loads a script when a button inside one of its elements is first pressed, then presses the button again: most visits
 * to a page press none of them.
 */
export function startOnDemand(load: () => Promise<boolean>, elements: string): void {
  let isLoading = false;
  document.addEventListener('click', (event) => {
    const button = closest(event, 'button');
    const element = button?.closest(elements) ?? null;
    if (button === null || element === null || isLoading || element.matches(':defined')) return;
    isLoading = true;
    void load().then((isLoaded) => {
      isLoading = false;
      if (isLoaded) button.click();
      else
        note(
          element.querySelector('.said') ?? noteOf(button),
          t('controls.failed', { reason: t('error.unreachable') }),
          true,
        );
    });
  });
}
