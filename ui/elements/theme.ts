import { t } from '../strings/t.ts';
import { announce } from './announce.ts';

type Theme = 'system' | 'light' | 'dark';

const storageKey = 'sconce-theme';
const next: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };

function pinned(): Theme {
  try {
    const stored = localStorage.getItem(storageKey);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    // Storage may be blocked; then the system decides.
    return 'system';
  }
}

function pin(theme: Theme): void {
  try {
    if (theme === 'system') localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, theme);
  } catch {
    // The choice then lasts until the page is left.
  }
}

/** Puts the pinned theme on the page; called before the first paint. */
export function applyTheme(theme: Theme = pinned()): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

const label = (theme: Theme): string => `${t('shell.theme')}: ${t(`shell.theme.${theme}`)}`;

/** Makes the header's button cycle through system, light and dark. */
export function startTheme(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-theme-button]');
  if (button === null) return;
  let theme = pinned();
  const updateLabel = (): void => {
    button.setAttribute('aria-label', label(theme));
    button.title = label(theme);
  };
  button.hidden = false;
  updateLabel();
  button.addEventListener('click', () => {
    theme = next[theme];
    pin(theme);
    applyTheme(theme);
    updateLabel();
    announce(label(theme));
  });
}
