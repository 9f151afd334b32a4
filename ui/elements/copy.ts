import { t } from '../strings/t.ts';
import { announce } from './announce.ts';
import { closest } from './closest.ts';

/** How long "Copied" stands on the button, in milliseconds. */
const saidMs = 2_500;

/** Fallback for LAN addresses over plain HTTP, where browsers hide the clipboard API. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  area.className = 'unseen';
  // Without it, what is hidden loses its indentation when it is copied.
  area.style.whiteSpace = 'pre';
  document.body.appendChild(area);
  const before = document.activeElement;
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
}

async function copy(text: string): Promise<boolean> {
  if (window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return copyBySelection(text);
    }
  }
  return copyBySelection(text);
}

function answer(button: HTMLElement, copied: boolean): void {
  const words = copied ? t('command.copied') : t('command.not_copied');
  announce(words);
  const word = button.querySelector('span');
  if (word === null) return;
  word.textContent = words;
  button.setAttribute('data-keep', '');
  window.setTimeout(() => {
    word.textContent = t('command.copy');
    button.removeAttribute('data-keep');
  }, saidMs);
}

/** What a button copies: its own `data-copy`, or with `data-copies` the text right before it, as whole lines. */
function textOf(button: HTMLElement): string {
  const own = button.dataset['copy'];
  if (own !== undefined) return own;
  const text = button.previousElementSibling?.textContent ?? '';
  return text.includes('\n') ? `${text}\n` : text;
}

/** Makes every button with `data-copy` or `data-copies` copy its text. */
export function startCopy(): void {
  document.addEventListener('click', (event) => {
    const button = closest(event, '[data-copy], [data-copies]');
    if (button === null) return;
    void copy(textOf(button)).then((copied) => answer(button, copied));
  });
}
