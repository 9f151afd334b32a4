/** Storage key of the typed addresses. */
const keyOf = (name: string): string => `sconce-setup-${name}`;

/** True if a text may be stored: an address without a user or password in it. */
const mayBeKept = (address: string): boolean => address !== '' && !address.includes('@');

/** What this browser keeps for this tab; null if it keeps nothing. */
export function storage(): Storage | null {
  try {
    return window.sessionStorage;
  } catch {
    // A browser may block storage.
    return null;
  }
}

function keep(key: string, value: string): void {
  try {
    storage()?.setItem(key, value);
  } catch {
    // A private window may have storage without space: then a reload forgets what was typed.
  }
}

/** The address saved for the field `name`; null if it is not an address field. */
function savedFor(page: HTMLElement, name: string): string | null {
  if (name === 'ha_url') return page.dataset['address'] ?? '';
  return name === 'mqtt_broker' ? (page.dataset['broker'] ?? '') : null;
}

/** Keeps the address typed into `input` across a reload, while the panel's saved address stays the same. */
export function keepTyped(page: HTMLElement, input: HTMLInputElement): void {
  const saved = savedFor(page, input.name);
  if (saved === null) return;
  const address = input.value.trim();
  if (address === saved || !mayBeKept(address)) storage()?.removeItem(keyOf(input.name));
  else keep(keyOf(input.name), JSON.stringify([address, saved]));
}

function parsed(kept: string): unknown {
  try {
    return JSON.parse(kept);
  } catch {
    return null;
  }
}

/** Restores the addresses typed before a reload, and checks them again. */
export function restoreTyped(page: HTMLElement): void {
  for (const input of Array.from(page.querySelectorAll<HTMLInputElement>('[name=ha_url],[name=mqtt_broker]'))) {
    const kept = parsed(storage()?.getItem(keyOf(input.name)) ?? '');
    // An address saved since then is newer.
    if (!Array.isArray(kept) || kept[1] !== savedFor(page, input.name)) continue;
    const address: unknown = kept[0];
    if (typeof address !== 'string' || address === input.value) continue;
    input.value = address;
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }
}
