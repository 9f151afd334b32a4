/**
 * Follows a link to a field from when all groups stood on one page: the element of that id is the field's link here, or
 * a place in the row of its group.
 */
function follow(): void {
  const { hash } = window.location;
  const target = hash.length > 1 ? document.getElementById(hash.slice(1)) : null;
  const link = target?.closest('li')?.querySelector('a') ?? null;
  if (link !== null) window.location.replace(link.pathname + hash);
}

/** Leads links to a field on to the page on which it stands now. */
export function startMovedAnchors(): void {
  window.addEventListener('hashchange', follow);
  follow();
}
