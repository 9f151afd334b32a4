/** Where what was typed is kept until the page is left for good. */
const keyOf = (name: string): string => `sconce-setup-${name}`;

/** Whether a text may be kept: an address alone, never one with a user or a password in it. */
const mayBeKept = (address: string): boolean => address !== '' && !address.includes('@');

function storage(): Storage | null {
  try {
    return window.sessionStorage;
  } catch {
    // A browser may refuse all of it.
    return null;
  }
}

function keep(key: string, value: string): void {
  try {
    storage()?.setItem(key, value);
  } catch {
    // A private window may have storage that takes nothing: then a reload forgets what was typed.
  }
}

/** The address that is saved for the field `name`; null where the field is none of an address. */
function savedFor(page: HTMLElement, name: string): string | null {
  if (name === 'ha_url') return page.dataset['address'] ?? '';
  return name === 'mqtt_broker' ? (page.dataset['broker'] ?? '') : null;
}

/** Keeps the address that was typed into `input` over a reload, for as long as the panel has the one it has now. */
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

/** Puts the addresses in again that were typed before the page was loaded anew, and has them checked again. */
export function restoreTyped(page: HTMLElement): void {
  for (const input of Array.from(page.querySelectorAll<HTMLInputElement>('[name=ha_url],[name=mqtt_broker]'))) {
    const kept = parsed(storage()?.getItem(keyOf(input.name)) ?? '');
    // Where another one was saved since, that one is newer.
    if (!Array.isArray(kept) || kept[1] !== savedFor(page, input.name)) continue;
    const address: unknown = kept[0];
    if (typeof address !== 'string' || address === input.value) continue;
    input.value = address;
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }
}
