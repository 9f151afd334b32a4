import type { FocusTarget } from './expand.ts';

const controls = 'input,select,textarea';

/** The element to focus at a target: the target itself if it is a field, or the button that confirms a broker. */
function placeOf(target: HTMLElement): HTMLElement | null {
  if (target.matches(controls)) return target;
  return target.matches('sconce-confirm') ? target.querySelector('button') : null;
}

/** Focuses a settings field and scrolls it into view. */
export const intoField: FocusTarget = (target) => {
  const place = placeOf(target);
  if (place === null) return false;
  // A secret that is already set opens for a new value.
  if (target.closest('[hidden]') !== null)
    target.closest('sconce-secret')?.querySelector<HTMLElement>('[data-secret-replace]')?.click();
  place.focus({ preventScroll: true });
  (target.closest('.field') ?? target).scrollIntoView({ block: 'center' });
  return true;
};
