import { Sentence } from '../parts/sentence.tsx';

/** Announces `text` politely to screen readers. */
export function announce(text: string): void {
  const region = document.getElementById('announcements');
  if (region !== null) region.textContent = text;
}

/** Puts `text` into a visible status line, which screen readers announce. */
export function announceIn(line: Element | null, text: string): void {
  if (line !== null && line.textContent !== text) line.innerHTML = String(Sentence({ text }));
}
