/** Replaces all children of an element; `replaceChildren` needs Chromium 86, and the floor is 83. */
export function fill(place: Element | null | undefined, ...children: readonly Node[]): void {
  if (!place) return;
  place.textContent = '';
  place.append(...children);
}
