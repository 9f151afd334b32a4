const TRUE: ReadonlySet<string> = new Set(['true', '1', 'on', 'yes']);
const FALSE: ReadonlySet<string> = new Set(['false', '0', 'off', 'no']);

/** A yes or no in any of the accepted spellings (as panel-assistant), undefined for anything else. */
export function spelledBoolean(raw: unknown): boolean | undefined {
  if (typeof raw === 'boolean') return raw;
  const word = typeof raw === 'string' || typeof raw === 'number' ? String(raw).trim().toLowerCase() : '';
  return TRUE.has(word) ? true : FALSE.has(word) ? false : undefined;
}

/** A decimal number as a form carries it, undefined for anything else: `""` is no number. */
export const spelledNumber = (raw: string): number | undefined =>
  /^[+-]?\d+(\.\d+)?$/.test(raw.trim()) ? Number(raw) : undefined;
