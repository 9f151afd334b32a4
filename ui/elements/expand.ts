/** Puts the cursor into what a link leads to; false where that is nothing to type into or to press. */
export type Enter = (target: HTMLElement) => boolean;

/** Opens what hides the target of a link and enters it; false where there was nothing to do. */
export function reach(hash: string, enter?: Enter): boolean {
  // A link to nowhere has no hash, and the address of a page often has none.
  const target = hash.length > 1 ? document.getElementById(hash.slice(1)) : null;
  if (target === null) return false;
  let isFolded = false;
  for (let fold = target.closest('details'); fold !== null; fold = fold.parentElement?.closest('details') ?? null) {
    isFolded = isFolded || !fold.open;
    fold.open = true;
  }
  // While it was folded there was nowhere to scroll to.
  if (isFolded) target.scrollIntoView();
  return enter?.(target) === true || isFolded;
}

/** Follows an address or a link of this page to what it names, also where that is folded away, and enters it. */
export function startExpanding(enter?: Enter): void {
  reach(window.location.hash, enter);
  window.addEventListener('popstate', () => void reach(window.location.hash, enter));
  window.addEventListener('load', () => {
    // The browser takes the cursor away from what is no field in its eyes.
    if (document.activeElement === document.body) reach(window.location.hash, enter);
  });
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || link.hash === '' || link.pathname !== window.location.pathname) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || !reach(link.hash, enter)) return;
    // The browser's own way there would scroll once more and take the cursor away.
    event.preventDefault();
    if (link.hash !== window.location.hash) window.history.pushState(null, '', link.hash);
  });
}
