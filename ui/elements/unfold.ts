const controls = 'input,select,textarea';

/** What the cursor is put into at a target: itself where it is a field, or the button that confirms a broker. */
const placeOf = (target: HTMLElement): HTMLElement | null => {
  if (target.matches(controls)) return target;
  return target.matches('sconce-confirm') ? target.querySelector('button') : null;
};

/** Opens what hides the target of a link, and puts the cursor into a field; false where there was nothing to do. */
const reach = (hash: string): boolean => {
  // A link to nowhere has no hash, and the address of a page often has none.
  const target = hash.length > 1 ? document.getElementById(hash.slice(1)) : null;
  if (target === null) return false;
  let isFolded = false;
  for (let fold = target.closest('details'); fold !== null; fold = fold.parentElement?.closest('details') ?? null) {
    isFolded = isFolded || !fold.open;
    fold.open = true;
  }
  // While it was folded there was nowhere to scroll to.
  if (isFolded) target.scrollIntoView({ block: 'center' });
  const place = placeOf(target);
  if (place === null) return isFolded;
  // A secret that is set is entered anew.
  if (target.closest('[hidden]') !== null)
    target.closest('sconce-secret')?.querySelector<HTMLElement>('[data-secret-replace]')?.click();
  place.focus({ preventScroll: true });
  (target.closest('.field') ?? target).scrollIntoView({ block: 'center' });
  return true;
};

/** Follows an address or a link of this page to what it names, also where that is folded away or is a field. */
export const startUnfolding = (): void => {
  reach(window.location.hash);
  window.addEventListener('popstate', () => void reach(window.location.hash));
  window.addEventListener('load', () => {
    // The browser takes the cursor away from what is no field in its eyes.
    if (document.activeElement === document.body) reach(window.location.hash);
  });
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || link.hash === '' || link.pathname !== window.location.pathname) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || !reach(link.hash)) return;
    // The browser's own way there would scroll once more and take the cursor away.
    event.preventDefault();
    if (link.hash !== window.location.hash) window.history.pushState(null, '', link.hash);
  });
};
