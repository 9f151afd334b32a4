import { type Condition, holds } from '../parts/condition.ts';
import { onStatus } from './stream.ts';

/** Whether something was typed or chosen here that is not what the page came with. */
const isTouched = (): boolean =>
  Array.from(
    document.querySelectorAll<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>(
      'main input, main select, main textarea',
    ),
  ).some((control) => {
    if (control instanceof HTMLSelectElement) {
      const first = Array.from(control.options).findIndex((option) => option.defaultSelected);
      return control.selectedIndex !== Math.max(0, first);
    }
    if (control instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(control.type))
      return control.checked !== control.defaultChecked;
    return control.value !== control.defaultValue;
  });

/** Draws a page anew that was drawn for another profile; where something was typed, only says so. */
function followProfile(id: string): void {
  const main = document.querySelector<HTMLElement>('main[data-profile-id]');
  const drawnFor = main?.dataset['profileId'] ?? id;
  // Drawn while the panel could not say what it is: then nothing was drawn for it that another profile would change.
  const isOther = drawnFor !== '' && drawnFor !== id;
  const typed = isOther && isTouched();
  for (const notice of document.querySelectorAll<HTMLElement>('[data-other-profile]')) notice.hidden = !typed;
  if (isOther && !typed) window.location.reload();
}

/**
 * Keeps what is there only under a condition in step with the panel: another profile is another panel under the same
 * page. A page that is no more gives way to the first one.
 */
export const startConditions = (): void =>
  onStatus(
    (status) => {
      // Without its profile's part the panel cannot say what it is; that part is back at once.
      if (status.panel.profile.id === '') return;
      followProfile(status.panel.profile.id);
      for (const element of document.querySelectorAll<HTMLElement>('[data-while]')) {
        // Written by the components of these pages.
        const there = holds(element.dataset['while'] as Condition, status);
        element.hidden = !there;
        if (!there && element.querySelector('[aria-current="page"]') !== null) window.location.replace('/');
      }
    },
    ['panel'],
  );
