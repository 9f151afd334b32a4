const unfold = (hash: string): void => {
  const fold = document.getElementById(hash.slice(1));
  if (fold instanceof HTMLDetailsElement) fold.open = true;
};

/** Opens the fold that an address or a link of this page leads to. */
export const startUnfolding = (): void => {
  unfold(window.location.hash);
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link !== null && link.pathname === window.location.pathname) unfold(link.hash);
  });
};
