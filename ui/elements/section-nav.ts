/** Scrolls a row of links that is wider than the page to the one that is open. */
export function showCurrentSection(): void {
  const list = document.querySelector<HTMLElement>('.jump');
  const current = list?.querySelector<HTMLElement>('[aria-current]') ?? null;
  if (list !== null && current !== null)
    list.scrollLeft = current.offsetLeft - (list.clientWidth - current.offsetWidth) / 2;
}
