/** Scrolls a place of the setup into view; with `isLed`, also focuses it. */
export function scrollToCard(card: HTMLElement | null, isLed: boolean): void {
  // As much of it as fits, and always its heading, even if a long step above it was closed.
  card?.scrollIntoView({ block: 'nearest' });
  card?.querySelector('.setup-heading')?.scrollIntoView({ block: 'nearest' });
  if (!isLed) return;
  // Focus the place itself, not a field: a phone's keyboard must not pop up.
  card?.querySelector<HTMLElement>('.setup-head, [data-home]')?.focus({ preventScroll: true });
}

/**
 * Focuses the refused broker field, with its label in view; else the user name while there is none, or the password,
 * with the message above it.
 */
export function focusRefusedField(card: HTMLElement | null): void {
  const refused = card?.querySelector<HTMLElement>('.is-refused .input');
  const user = card?.querySelector<HTMLInputElement>('[name=mqtt_user]');
  const signIn = user?.value === '' ? user : card?.querySelector<HTMLElement>('[name=mqtt_password]');
  const field = refused ?? signIn;
  field?.focus({ preventScroll: true });
  if (refused) refused.closest('.field')?.scrollIntoView({ block: 'center' });
  else card?.querySelector('.setup-heading')?.scrollIntoView({ block: 'start' });
}
