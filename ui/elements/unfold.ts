const unfold = (hash: string): void => {
  const target = document.getElementById(hash.slice(1));
  const fold = target?.closest('details');
  if (!fold || fold.open) return;
  fold.open = true;
  // While it was folded there was nowhere to scroll to.
  target?.scrollIntoView({ block: 'center' });
};

/** Opens the fold that an address or a link of this page leads to. */
export const startUnfolding = (): void => {
  unfold(window.location.hash);
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link !== null && link.pathname === window.location.pathname) unfold(link.hash);
  });
};
