import { announceIn } from './announce.ts';

/** Says what became of a request in its line; `refused` draws it as a failure, with its shape. */
export function note(line: Element | null, text: string, refused = false): void {
  line?.classList.toggle('refused', refused && text !== '');
  announceIn(line, text);
}

/** The line for what becomes of `control`: that of its row, or of the place that a dialog names. */
export const noteOf = (control: Element): Element | null =>
  control.closest('[data-control]')?.querySelector('[data-note]') ?? document.querySelector('[data-note="buttons"]');

/** Takes back every refusal of the page: what it spoke of is healed. */
export function forgive(): void {
  for (const line of document.querySelectorAll('[data-note].refused')) note(line, '');
}
