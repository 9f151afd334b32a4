import { z } from 'zod';
import type { SettingEntity, SettingMeta } from '../kit/setting.ts';
import type { SettingValue } from './events.ts';

/** Longest text where a setting names no limit, in characters (api-facts 4.5). */
export const DEFAULT_TEXT_LENGTH = 16_384;

/** The type names of `/api/v1/config/schema` (api-facts 4.2). */
export type SettingType = 'BOOL' | 'INT' | 'FLOAT' | 'ENUM' | 'STRING' | 'PASSWORD';

/** All there is to say about one setting, derived from its zod field; the item of `/api/v1/config/schema`. */
export interface SettingDescriptor {
  readonly key: string;
  readonly type: SettingType;
  readonly group: SettingMeta['group'];
  /** Label of the form field. */
  readonly label: string;
  /** One sentence of help. */
  readonly help: string;
  /** The default as text, "" for readings. */
  readonly default: string;
  /** The default as it stands in the configuration; null for readings. */
  readonly defaultValue: SettingValue | null;
  readonly tier: 'BASIC' | 'ADVANCED';
  readonly scope: 'IDENTITY' | 'DEVICE' | 'PORTABLE';
  readonly secret: boolean;
  readonly readOnly: boolean;
  /** The options of an ENUM, else empty. */
  readonly options: readonly string[];
  /** Other spellings of the options, lower-case. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Smallest number, in `unit`; null where there is none. */
  readonly min: number | null;
  /** Largest number, in `unit`; null where there is none. */
  readonly max: number | null;
  /** Distance between two numbers, 1 for INT; null where any number serves. */
  readonly step: number | null;
  /** Longest text in characters; null for what is not text. */
  readonly maxLength: number | null;
  /** Whether the platform can show it (`ha_expose_<key>`). */
  readonly ha: boolean;
  /** How a setting appears on the platform; `reading` for rows that only publish, null where it cannot appear. */
  readonly entity: SettingEntity | 'reading' | null;
  /** Whether it is shown on the platform until the owner says otherwise. */
  readonly exposedByDefault: boolean;
  readonly unit: string | null;
  readonly placeholder: string | null;
  /** True when a change acts only after the agent restarts. */
  readonly restart: boolean;
}

const UPPER = {
  tier: { basic: 'BASIC', advanced: 'ADVANCED' },
  scope: { identity: 'IDENTITY', device: 'DEVICE', portable: 'PORTABLE' },
} as const;

/** A limit that zod knows; its "none" is an infinity or, for whole numbers, the edge of exactness. */
const limit = (value: number | null | undefined): number | null => (value === null || value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? null : value);

/** The `multipleOf` of a number; zod keeps it in a bag without types. */
const stepOf = (field: z.ZodNumber): number | null => {
  const step: unknown = field._zod.bag.multipleOf;
  return typeof step === 'number' ? step : null;
};

const shapeOf = (
  field: z.core.$ZodType,
  secret: boolean,
): Pick<SettingDescriptor, 'type' | 'options' | 'min' | 'max' | 'step' | 'maxLength'> | undefined => {
  const none = { options: [], min: null, max: null, step: null, maxLength: null };
  if (field instanceof z.ZodNullable) return shapeOf(field.unwrap(), secret);
  if (field instanceof z.ZodBoolean) return { ...none, type: 'BOOL' };
  if (field instanceof z.ZodEnum) return { ...none, type: 'ENUM', options: field.options.map(String) };
  if (field instanceof z.ZodString) return { ...none, type: secret ? 'PASSWORD' : 'STRING', maxLength: field.maxLength ?? DEFAULT_TEXT_LENGTH };
  if (field instanceof z.ZodNumber) {
    const whole = field.isInt;
    return { ...none, type: whole ? 'INT' : 'FLOAT', min: limit(field.minValue), max: limit(field.maxValue), step: whole ? 1 : stepOf(field) };
  }
  return undefined;
};

/** The descriptor of one field; throws for a field that is not of the registry's kinds, so that a test sees it. */
export const describeSetting = (key: string, field: z.core.$ZodType): SettingDescriptor => {
  if (!(field instanceof z.ZodDefault)) throw new TypeError(`setting ${key} has no default`);
  // zod types metadata loosely; every field states it with `satisfies SettingMeta`, and the registry's test reads them all.
  const meta = field.meta() as SettingMeta | undefined;
  const shape = shapeOf(field.unwrap(), meta?.secret === true);
  if (meta === undefined || shape === undefined) throw new TypeError(`setting ${key} does not describe itself`);
  const fallback: unknown = field.def.defaultValue;
  const defaultValue = typeof fallback === 'string' || typeof fallback === 'number' || typeof fallback === 'boolean' ? fallback : null;
  return {
    key,
    ...shape,
    group: meta.group,
    label: meta.title,
    help: meta.help,
    default: defaultValue === null ? '' : String(defaultValue),
    defaultValue,
    tier: UPPER.tier[meta.tier],
    scope: UPPER.scope[meta.scope],
    secret: meta.secret ?? false,
    readOnly: meta.readOnly ?? false,
    aliases: meta.aliases ?? {},
    ha: meta.ha !== undefined,
    entity: meta.ha ?? null,
    exposedByDefault: meta.exposedByDefault ?? false,
    unit: meta.unit ?? null,
    placeholder: meta.placeholder ?? null,
    restart: meta.restart ?? false,
  };
};
