import { ask } from './send.ts';

/** What a save would make of a value; null where the panel did not say. */
export type Checked =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string }
  | null;

/** Asks the panel, whose rules and words these are, what a save would make of a value. */
export async function checkSetting(key: string, value: string): Promise<Checked> {
  const asked = await ask(`/api/v1/config/check?key=${key}&value=${encodeURIComponent(value)}`);
  if (!asked.ok) return null;
  const { ok, value: kept, message } = asked.body;
  return ok === true ? { ok, value: kept } : { ok: false, message: String(message) };
}
