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
function judgeProfile(id: string): void {
  const main = document.querySelector<HTMLElement>('main[data-profile-id]');
  const drawnFor = main?.dataset['profileId'] ?? id;
  // Drawn while the panel's profile was unknown, so nothing on the page depends on a profile.
  const isOther = drawnFor !== '' && drawnFor !== id;
  const typed = isOther && isTouched();
  for (const notice of document.querySelectorAll<HTMLElement>('[data-other-profile]')) notice.hidden = !typed;
  if (isOther && !typed) window.location.reload();
}

/** For pages whose shell has `ofProfile`. */
export const startOtherProfile = (): void =>
  onStatus(
    ({ panel: { profile } }) => {
      // While the profile's part is down the panel's profile is unknown; that part restarts immediately.
      if (profile.id !== '') judgeProfile(profile.id);
    },
    ['panel'],
  );
