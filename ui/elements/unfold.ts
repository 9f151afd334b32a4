const controls = 'input,select,textarea';

/** Opens what hides the target of a link, and puts the cursor into a field; false where neither is needed. */
const reach = (hash: string): boolean => {
  const target = document.getElementById(hash.slice(1));
  if (target === null) return false;
  const fold = target.closest('details');
  const isFolded = fold !== null && !fold.open;
  if (isFolded) fold.open = true;
  // While it was folded there was nowhere to scroll to.
  if (isFolded) target.scrollIntoView({ block: 'center' });
  if (!target.matches(controls)) return isFolded;
  // A secret that is set is entered anew.
  if (target.closest('[hidden]') !== null)
    target.closest('sconce-secret')?.querySelector<HTMLElement>('[data-secret-replace]')?.click();
  target.focus({ preventScroll: true });
  (target.closest('.field') ?? target).scrollIntoView({ block: 'center' });
  return true;
};

/** Follows an address or a link of this page to what it names, also where that is folded away or is a field. */
export const startUnfolding = (): void => {
  reach(window.location.hash);
  window.addEventListener('popstate', () => void reach(window.location.hash));
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || link.hash === '' || link.pathname !== window.location.pathname) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || !reach(link.hash)) return;
    // The browser's own way there would scroll once more and take the cursor away.
    event.preventDefault();
    if (link.hash !== window.location.hash) window.history.pushState(null, '', link.hash);
  });
};
