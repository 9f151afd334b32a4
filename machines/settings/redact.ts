import { secretSettings } from '../settings.ts';

/** The names of every setting that is a credential. */
export const secretKeys: ReadonlySet<string> = new Set(secretSettings.map((row) => row.key));

/**
 * A copy of `value` in which everything under a secret's name is "", however deep; what is not plain JSON becomes null.
 * For inspectors and logs that show events; deeper than 32 levels is cut off.
 */
export const redactSecrets = (value: unknown, depth = 0): unknown => {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || depth > 32) return null;
  if (Array.isArray(value)) return value.map((item) => redactSecrets(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, secretKeys.has(key) ? '' : redactSecrets(item, depth + 1)]));
};
