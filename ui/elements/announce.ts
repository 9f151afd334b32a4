import { Sentence } from '../parts/sentence.tsx';

/** Announces `text` politely to screen readers. */
export function announce(text: string): void {
  const region = document.getElementById('announcements');
  if (region !== null) region.textContent = text;
}

/**
 * Puts `text` into a visible status line, which screen readers announce. What the line says of a request that waits
 * for a person at the panel stays.
 */
export function announceIn(line: Element | null, text: string): void {
  if (line === null || line.textContent === text) return;
  const asking = Array.from(line.querySelectorAll('[data-asking]'));
  line.innerHTML = String(Sentence({ text }));
  line.append(...asking);
}
