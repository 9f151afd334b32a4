import type { SettingsContext } from './events.ts';

/**
 * 32-bit FNV-1a of the text's UTF-8 bytes as eight lower-case hex digits (draft-eastlake-fnv, offset basis 2166136261).
 */
export function fnv1a(text: string): string {
  let hash = 0x811c9dc5;
  const bytes = new TextEncoder().encode(text);
  // By index: an iterator makes an object for each byte.
  for (let at = 0; at < bytes.length; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

const sorted = (record: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] =>
  Object.keys(record)
    .toSorted()
    .map((key) => [key, record[key]]);

/** The `cfg=` token of the health line: the same eight digits for the same configuration, whatever its key order. */
export const configurationDigest = (configuration: Pick<SettingsContext, 'values' | 'secrets' | 'expose'>): string =>
  fnv1a(JSON.stringify([sorted(configuration.values), sorted(configuration.secrets), sorted(configuration.expose)]));
