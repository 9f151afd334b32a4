/** Focuses the target of a link; false if it is not focusable. */
export type FocusTarget = (target: HTMLElement) => boolean;

/** Opens the folds around a link's target and focuses it; false if there was nothing to do. */
export function revealTarget(hash: string, focus?: FocusTarget): boolean {
  // Links and page addresses often have no hash.
  const target = hash.length > 1 ? document.getElementById(hash.slice(1)) : null;
  if (target === null) return false;
  let isFolded = false;
  for (let fold = target.closest('details'); fold !== null; fold = fold.parentElement?.closest('details') ?? null) {
    isFolded = isFolded || !fold.open;
    fold.open = true;
  }
  // The browser could not scroll to it while it was folded.
  if (isFolded) target.scrollIntoView();
  return focus?.(target) === true || isFolded;
}

/** True if a link leads to this page, with any hash. */
const isThisPage = ({ origin, pathname, search }: HTMLAnchorElement): boolean =>
  origin === window.location.origin && pathname === window.location.pathname && search === window.location.search;

/** Follows the hash of the address or of a link on this page, opens the folds around its target and focuses it. */
export function startExpanding(focus?: FocusTarget): void {
  revealTarget(window.location.hash, focus);
  window.addEventListener('popstate', () => void revealTarget(window.location.hash, focus));
  window.addEventListener('load', () => {
    // The browser moves the focus away from elements it does not consider focusable.
    if (document.activeElement === document.body) revealTarget(window.location.hash, focus);
  });
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || link.hash === '' || !isThisPage(link)) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || !revealTarget(link.hash, focus)) return;
    // The browser's own navigation would scroll again and take the focus.
    event.preventDefault();
    if (link.hash !== window.location.hash) window.history.pushState(null, '', link.hash);
  });
}
