const TRUE: ReadonlySet<string> = new Set(['true', '1', 'on', 'yes']);
const FALSE: ReadonlySet<string> = new Set(['false', '0', 'off', 'no']);

/** A boolean in any accepted spelling (as panel-assistant); undefined for anything else. */
export function spelledBoolean(raw: unknown): boolean | undefined {
  if (typeof raw === 'boolean') return raw;
  const word = typeof raw === 'string' || typeof raw === 'number' ? String(raw).trim().toLowerCase() : '';
  return TRUE.has(word) ? true : FALSE.has(word) ? false : undefined;
}

/** A decimal number from a form field; undefined for anything else, also for `""`. */
export const spelledNumber = (raw: string): number | undefined =>
  /^[+-]?\d+(\.\d+)?$/.test(raw.trim()) ? Number(raw) : undefined;
