import { t } from '../strings/t.ts';
import { announceIn } from './announce.ts';

/** The message of the bar. */
export interface BarWords {
  readonly words: string;
  /** True for a refusal or a failure. */
  readonly isBad?: boolean;
  /** Link to where it is fixed. */
  readonly href?: string | null;
}

/** Distance kept between the focused field and the bar, in pixels. */
const MARGIN_PX = 12;

function wordOf(href: string): string {
  if (href === '/sign-in') return t('links.sign_in_open');
  const label = document.querySelector(`label[for="${href.split('#')[1] ?? ''}"]`)?.textContent ?? '';
  return label === '' ? t('form.go') : t('form.go_to', { label });
}

/** The bar below the form, visible while it has a message. */
export function saveBar(root: HTMLElement) {
  const bar = root.querySelector<HTMLElement>('.save-bar');
  const line = root.querySelector('[data-form-word]');
  const link = root.querySelector<HTMLAnchorElement>('[data-go]');

  /** Keeps the focused field and its refusal above the bar. */
  const uncover = (): void => {
    const held = document.activeElement;
    if (bar === null || bar.hidden || held === null || !root.contains(held) || bar.contains(held)) return;
    const lowest = held.closest('.field')?.querySelector('.refusal') ?? held;
    const over = lowest.getBoundingClientRect().bottom + MARGIN_PX - bar.getBoundingClientRect().top;
    const below = held.getBoundingClientRect().top - bar.getBoundingClientRect().bottom;
    if (over > 0 && below < 0) window.scrollBy(0, over);
  };
  root.addEventListener('focusin', () => window.requestAnimationFrame(uncover));
  window.addEventListener('resize', uncover);

  return {
    /** Shows `told`, or else the number of unsaved changes. */
    show: (announced: BarWords | null, changes: number, isSaving: boolean): void => {
      if (bar !== null) bar.hidden = announced === null && changes === 0;
      root.classList.toggle('has-changes', changes > 0);
      root.classList.toggle('is-told', announced !== null);
      root.classList.toggle('was-refused', announced?.isBad === true);
      for (const button of Array.from(root.querySelectorAll<HTMLButtonElement>('[data-save],[data-discard]')))
        button.disabled = changes === 0 || isSaving;
      const href = announced?.href ?? null;
      if (link !== null) {
        link.hidden = href === null;
        if (href !== null) {
          link.href = href;
          link.textContent = wordOf(href);
        }
      }
      announceIn(line, announced?.words ?? (changes === 0 ? '' : t('form.changes', { count: changes })));
      uncover();
    },
  };
}
