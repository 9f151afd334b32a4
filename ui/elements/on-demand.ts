import { t } from '../strings/t.ts';
import { closest } from './closest.ts';
import { loadScript } from './load-script.ts';
import { note, noteOf } from './note.ts';

/** Address of another script of this page's own build. */
const besideOwn = (name: string): string =>
  (document.querySelector('script[src]')?.getAttribute('src') ?? '').replace(/[\w-]+\.js/, `${name}.js`);

/**
 * Loads the script `name` when a button is first pressed within one of the elements that it defines, and presses the
 * button again then: most visits of a page press none of them.
 */
export function startOnDemand(name: string, elements: string): void {
  let isLoading = false;
  document.addEventListener('click', (event) => {
    const button = closest(event, 'button');
    const element = button?.closest(elements) ?? null;
    if (button === null || element === null || isLoading || element.matches(':defined')) return;
    isLoading = true;
    void loadScript(besideOwn(name)).then((isLoaded) => {
      isLoading = false;
      if (isLoaded) button.click();
      else note(noteOf(button), t('controls.failed', { reason: t('error.unreachable') }), true);
    });
  });
}
