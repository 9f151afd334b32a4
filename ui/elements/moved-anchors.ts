/**
 * Follows old links to fields, from when all groups were on one page: the element with that id is now the field's
 * link, or a place in its group's row.
 */
function follow(): void {
  const { hash } = window.location;
  const target = hash.length > 1 ? document.getElementById(hash.slice(1)) : null;
  const link = target?.closest('li')?.querySelector('a') ?? null;
  if (link !== null) window.location.replace(link.pathname + hash);
}

/** Redirects old links to a field to the page it is on now. */
export function startMovedAnchors(): void {
  window.addEventListener('hashchange', follow);
  follow();
}
