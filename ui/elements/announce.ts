import { Sentence } from '../parts/sentence.tsx';

/** Says `text` politely to a screen reader, wherever the eye is. */
export function announce(text: string): void {
  const region = document.getElementById('announcements');
  if (region !== null) region.textContent = text;
}

/** Puts `text` into a status line that is seen and read out. */
export function announceIn(line: Element | null, text: string): void {
  if (line !== null && line.textContent !== text) line.innerHTML = String(Sentence({ text }));
}
