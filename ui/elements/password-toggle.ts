function reveal(toggle: Element, isShown: boolean): void {
  const input = toggle.parentElement?.querySelector('input');
  if (input) input.type = isShown ? 'text' : 'password';
  toggle.setAttribute('aria-pressed', String(isShown));
}

/** Starts the show/hide buttons beside the passwords within `place`. */
export const startPasswordToggle = (place: HTMLElement): void =>
  place.addEventListener('click', ({ target }) => {
    const toggle = target instanceof Element ? target.closest('[data-eye]') : null;
    if (toggle !== null) reveal(toggle, toggle.getAttribute('aria-pressed') !== 'true');
  });

/** Hides every password within `place` again. */
export function hidePassword(place: HTMLElement): void {
  for (const toggle of Array.from(place.querySelectorAll('[data-eye]'))) reveal(toggle, false);
}
