import { type Condition, holds } from '../parts/condition.ts';
import { onStatus } from './stream.ts';

/** True if an input differs from what the page was served with. */
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

/** Reloads a page that was drawn for another profile; if something was typed, only shows a notice. */
function followProfile(id: string): void {
  const main = document.querySelector<HTMLElement>('main[data-profile-id]');
  const drawnFor = main?.dataset['profileId'] ?? id;
  // Drawn while the panel's profile was unknown, so nothing on the page depends on a profile.
  const isOther = drawnFor !== '' && drawnFor !== id;
  const typed = isOther && isTouched();
  for (const notice of document.querySelectorAll<HTMLElement>('[data-other-profile]')) notice.hidden = !typed;
  if (isOther && !typed) window.location.reload();
}

/**
 * Keeps conditional elements in step with the panel, since another profile can change what exists. A page that no
 * longer exists redirects to the first page.
 */
export const startConditions = (): void =>
  onStatus(
    (status) => {
      // While the profile's part is down the panel's profile is unknown; that part restarts immediately.
      if (status.panel.profile.id === '') return;
      followProfile(status.panel.profile.id);
      for (const element of document.querySelectorAll<HTMLElement>('[data-while]')) {
        // The components of these pages write this attribute.
        const there = holds(element.dataset['while'] as Condition, status);
        element.hidden = !there;
        if (!there && element.querySelector('[aria-current="page"]') !== null) window.location.replace('/');
      }
    },
    ['panel'],
  );
