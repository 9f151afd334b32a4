import { ask } from './send.ts';

/** The result that saving a value would have; null if the panel did not say. */
export type Checked =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string }
  | null;

/**
 * Asks the panel what saving a value would do together with the unsaved ones `beside` it; rules and messages are the
 * panel's.
 */
export async function checkSetting(
  key: string,
  value: string,
  beside: Readonly<Record<string, string>> = {},
): Promise<Checked> {
  const others = String(new URLSearchParams(beside));
  const query = `key=${key}&value=${encodeURIComponent(value)}`;
  const more = others === '' ? '' : `&beside=${encodeURIComponent(others)}`;
  const asked = await ask(`/api/v1/config/check?${query}${more}`);
  if (!asked.ok) return null;
  const { ok, value: kept, message } = asked.body;
  return ok === true ? { ok, value: kept } : { ok: false, message: String(message) };
}
