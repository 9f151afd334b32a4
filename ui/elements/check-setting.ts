import { ask } from './send.ts';

/** The result that saving a value would have; null if the panel did not say. */
export type Checked =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string }
  | null;

/** Asks the panel what saving a value would do; rules and messages are the panel's. */
export async function checkSetting(key: string, value: string): Promise<Checked> {
  const asked = await ask(`/api/v1/config/check?key=${key}&value=${encodeURIComponent(value)}`);
  if (!asked.ok) return null;
  const { ok, value: kept, message } = asked.body;
  return ok === true ? { ok, value: kept } : { ok: false, message: String(message) };
}
