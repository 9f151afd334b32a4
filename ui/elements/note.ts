import { announceIn } from './announce.ts';

/** Shows the result of a request in its line; `refused` draws it as a failure. */
export function note(line: Element | null, text: string, refused = false): void {
  line?.classList.toggle('refused', refused && text !== '');
  announceIn(line, text);
}

/** The result line of `control`: in its row, or the place its dialog names. */
export const noteOf = (control: Element): Element | null =>
  control.closest('[data-control]')?.querySelector('[data-note]') ?? document.querySelector('[data-note="buttons"]');

/** Clears every refusal on the page. */
export function forgive(): void {
  for (const line of document.querySelectorAll('[data-note].refused')) note(line, '');
}
