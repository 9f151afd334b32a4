/** Scrolls a row of links wider than the page to the current one. */
export function showCurrentSection(): void {
  const list = document.querySelector<HTMLElement>('.jump');
  const current = list?.querySelector<HTMLElement>('[aria-current]') ?? null;
  if (list !== null && current !== null)
    list.scrollLeft = current.offsetLeft - (list.clientWidth - current.offsetWidth) / 2;
}
