const reveal = (eye: Element, isShown: boolean): void => {
  const input = eye.parentElement?.querySelector('input');
  if (input) input.type = isShown ? 'text' : 'password';
  eye.setAttribute('aria-pressed', String(isShown));
};

/** Lets each eye beside a password within `place` show and hide it. */
export const startEye = (place: HTMLElement): void =>
  place.addEventListener('click', ({ target }) => {
    const eye = target instanceof Element ? target.closest('[data-eye]') : null;
    if (eye !== null) reveal(eye, eye.getAttribute('aria-pressed') !== 'true');
  });

/** Hides every password within `place` again. */
export const closeEye = (place: HTMLElement): void => {
  for (const eye of Array.from(place.querySelectorAll('[data-eye]'))) reveal(eye, false);
};
