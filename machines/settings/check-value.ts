import { ok, refuse } from '../kit/result.ts';
import type { Result } from '../kit/result.ts';
import type { SettingValue } from './events.ts';
import type { SettingDescriptor } from '../kit/setting.ts';
import { shownLine } from '../kit/shown-text.ts';
import { spelledBoolean, spelledNumber } from '../kit/spelled.ts';

/** A lone surrogate makes JSON invalid for Home Assistant, which would drop the whole device. */
const LONE_SURROGATE = /[\ud800-\udfff]/u;

/** The requirement for a text's length; `more` says how the length counts. */
const tooLong = ({ maxLength, isState }: SettingDescriptor, more = ''): string =>
  `must be text of at most ${maxLength} characters${more}${isState ? ', as long as a state of Home Assistant can be' : ''}`;

/** The requirement of a setting, as the end of "<label> must ...": the fix in every refusal. */
function wanted(row: SettingDescriptor): string {
  if (row.type === 'BOOL') return 'must be true or false';
  if (row.type === 'ENUM') return `must be one of: ${row.options.join(', ')}`;
  if (row.type === 'STRING' || row.type === 'PASSWORD') return tooLong(row);
  const unit = row.unit === null ? '' : ` ${row.unit}`;
  const range = row.min !== null && row.max !== null ? ` from ${row.min} to ${row.max}${unit}` : '';
  return `must be a ${row.type === 'INT' ? 'whole number' : 'number'}${range}`;
}

/** Refuses a value with one sentence that names the field, the problem and the fix, never the value. */
const refusal = (row: SettingDescriptor, why = wanted(row)): ReturnType<typeof refuse<'invalid'>> =>
  refuse('invalid', `${row.label} ${why}.`);

/** Text unchanged, a number as text; undefined for booleans and numbers that are not finite. */
function asText(raw: string | number | boolean): string | undefined {
  if (typeof raw === 'string') return raw;
  return typeof raw === 'number' && Number.isFinite(raw) ? String(raw) : undefined;
}

/** The posted value in the setting's own type, in canonical spelling; undefined if it does not fit. */
function spelled(row: SettingDescriptor, raw: string | number | boolean): SettingValue | undefined {
  switch (row.type) {
    case 'BOOL':
      return spelledBoolean(raw);
    case 'INT':
    case 'FLOAT':
      return typeof raw === 'boolean' ? undefined : spelledNumber(String(raw));
    case 'ENUM': {
      const word = String(raw).trim().toLowerCase();
      const aliased = Object.entries(row.aliases).find(([alias]) => alias === word)?.[1];
      return aliased ?? row.options.find((option) => option.toLowerCase() === word);
    }
    case 'STRING':
      return asText(raw)?.trim();
    case 'PASSWORD':
      return asText(raw);
  }
}

function judge(row: SettingDescriptor, raw: unknown, longest: number | null): Result<SettingValue, 'invalid'> {
  if (typeof raw !== 'string' && typeof raw !== 'number' && typeof raw !== 'boolean') {
    return refusal(row, 'must be a single value, not a list or an object');
  }
  const value = spelled(row, raw);
  if (value === undefined) return refusal(row);
  if (typeof value === 'string') {
    if (longest !== null && value.length > longest) return refusal(row);
    if (LONE_SURROGATE.test(value)) return refusal(row, 'must be well-formed text; one of its characters is broken');
    // People read these texts on pages and in Home Assistant, so invisible and direction-changing characters are
    // refused.
    if (row.type !== 'PASSWORD' && !shownLine.test(value))
      return refusal(row, 'must be on one line, without control characters and other invisible ones');
  }
  const parsed = row.field.safeParse(value);
  if (parsed.success) {
    const normalised: unknown = parsed.data;
    if (typeof normalised === 'string' && longest !== null && normalised.length > longest)
      return refusal(row, tooLong(row, ' once encoded'));
    return typeof normalised === 'string' || typeof normalised === 'number' || typeof normalised === 'boolean'
      ? ok(normalised)
      : refusal(row);
  }
  const own = parsed.error.issues.find((issue) => issue.code === 'custom' || issue.code === 'invalid_format');
  return refusal(row, own?.message);
}

/**
 * Validates one posted value (as panel-assistant): the normalised value, or one sentence for the owner. Credentials are
 * not trimmed.
 */
export const checkValue = (row: SettingDescriptor, raw: unknown): Result<SettingValue, 'invalid'> =>
  judge(row, raw, row.maxLength);

/** The same for a stored value, which may be as long as an earlier version accepted. */
export const checkStored = (row: SettingDescriptor, raw: unknown): Result<SettingValue, 'invalid'> =>
  judge(row, raw, row.storedLength);
