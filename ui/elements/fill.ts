/**
 * Puts these in place of everything that an element holds; `replaceChildren` came with Chromium 86, the floor is 83.
 */
export function fill(place: Element | null | undefined, ...children: readonly Node[]): void {
  if (!place) return;
  place.textContent = '';
  place.append(...children);
}
