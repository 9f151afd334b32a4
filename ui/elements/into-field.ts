import type { Enter } from './expand.ts';

const controls = 'input,select,textarea';

/** What the cursor is put into at a target: itself where it is a field, or the button that confirms a broker. */
function placeOf(target: HTMLElement): HTMLElement | null {
  if (target.matches(controls)) return target;
  return target.matches('sconce-confirm') ? target.querySelector('button') : null;
}

/** Puts the cursor into a field of the settings, and that into sight. */
export const intoField: Enter = (target) => {
  const place = placeOf(target);
  if (place === null) return false;
  // A secret that is set is entered anew.
  if (target.closest('[hidden]') !== null)
    target.closest('sconce-secret')?.querySelector<HTMLElement>('[data-secret-replace]')?.click();
  place.focus({ preventScroll: true });
  (target.closest('.field') ?? target).scrollIntoView({ block: 'center' });
  return true;
};
