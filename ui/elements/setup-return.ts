import { setupCookie } from '../parts/setup-cookie.ts';
import { storage } from './typed-address.ts';

/** Where the length of the history is kept while the person is at Home Assistant's login. */
const KEY = 'sconce-setup-left';
/** The state of the entry of this page that the person left from. */
const LEFT = 'sconce-setup-left';
/** A browser keeps 50 entries; near that the length says nothing. */
const MOST_ENTRIES = 40;

/** Opens Home Assistant's login page, and lets this browser return to the setup. */
export function leaveToSignIn(url: string): void {
  const { value, path, seconds } = setupCookie;
  document.cookie = `${value}; Path=${path}; Max-Age=${seconds}; SameSite=Lax`;
  const { pathname } = window.location;
  window.history.replaceState(LEFT, '', pathname);
  // A new entry drops those ahead, so that the length is the position; the login page takes its place.
  window.history.pushState(null, '', pathname);
  const { length } = window.history;
  if (length < MOST_ENTRIES) storage()?.setItem(KEY, String(length - 1));
  window.location.replace(url);
}

/**
 * After a sign-in, goes back to the entry that the person left from: the used login page is then ahead, not behind.
 * True if this page is being left for that.
 */
export function returnToSetup(): boolean {
  const length = Number(storage()?.getItem(KEY) ?? 0);
  storage()?.removeItem(KEY);
  // Restored from memory, it is as it was before the sign-in.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) window.location.reload();
  });
  if (window.history.state === LEFT) {
    window.history.replaceState(null, '');
    return false;
  }
  const steps = window.history.length - length;
  if (length === 0 || steps <= 0) return false;
  window.history.go(-steps);
  return true;
}
