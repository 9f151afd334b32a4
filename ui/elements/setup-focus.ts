import { setupCookie } from '../parts/setup-cookie.ts';

/** Brings a place of the setup into view; `isLed`: and the keyboard to it. */
export function scrollToCard(card: HTMLElement | null, isLed: boolean): void {
  // As much of it as fits; its heading in any case, also where a long step above it was closed.
  card?.scrollIntoView({ block: 'nearest' });
  card?.querySelector('.setup-heading')?.scrollIntoView({ block: 'nearest' });
  if (!isLed) return;
  // A keyboard stands where the page goes on; a phone's own keyboard does not jump up by that.
  card?.querySelector<HTMLElement>('.setup-head, [data-home]')?.focus({ preventScroll: true });
}

/** Leads to the field of the broker that was refused, with its label; else to the password, with what is said above. */
export function focusRefusedField(card: HTMLElement | null): void {
  const refused = card?.querySelector<HTMLElement>('.is-refused .input');
  const field = refused ?? card?.querySelector<HTMLElement>('[name=mqtt_password]');
  field?.focus({ preventScroll: true });
  if (refused) refused.closest('.field')?.scrollIntoView({ block: 'center' });
  else card?.querySelector('.setup-heading')?.scrollIntoView({ block: 'start' });
}

/** Leaves for the login page of Home Assistant, and lets this browser come back to the setup. */
export function leaveToSignIn(url: string): void {
  const { value, path, seconds } = setupCookie;
  document.cookie = `${value}; Path=${path}; Max-Age=${seconds}; SameSite=Lax`;
  window.location.assign(url);
}
