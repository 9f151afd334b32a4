import { z } from 'zod';
import { $ZodCheckMultipleOf } from 'zod/v4/core';
import { STATE_LENGTH } from '../kit/entity.ts';
import type { SettingDescriptor, SettingMeta } from '../kit/setting.ts';

/** Longest text of a setting without its own limit, in characters (as panel-assistant). */
const DEFAULT_TEXT_LENGTH = 16_384;

const UPPER = {
  tier: { basic: 'BASIC', advanced: 'ADVANCED' },
  scope: { identity: 'IDENTITY', device: 'DEVICE', portable: 'PORTABLE' },
} as const;

/** A limit from zod, which represents "none" as an infinity or, for integers, as the limit of safe integers. */
const limit = (value: number | null | undefined): number | null =>
  value === null || value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? null : value;

/** The `multipleOf` of a number, which zod only keeps among the checks. */
function stepOf(field: z.ZodNumber): number | null {
  for (const check of field.def.checks ?? []) {
    if (check instanceof $ZodCheckMultipleOf && typeof check._zod.def.value === 'number') return check._zod.def.value;
  }
  return null;
}

function shapeOf(
  field: z.core.$ZodType,
  secret: boolean,
): Pick<SettingDescriptor, 'type' | 'options' | 'min' | 'max' | 'step' | 'maxLength'> | undefined {
  const none = { options: [], min: null, max: null, step: null, maxLength: null };
  if (field instanceof z.ZodNullable) return shapeOf(field.unwrap(), secret);
  if (field instanceof z.ZodBoolean) return { ...none, type: 'BOOL' };
  if (field instanceof z.ZodEnum) return { ...none, type: 'ENUM', options: field.options.map(String) };
  if (field instanceof z.ZodString)
    return { ...none, type: secret ? 'PASSWORD' : 'STRING', maxLength: field.maxLength ?? DEFAULT_TEXT_LENGTH };
  if (field instanceof z.ZodNumber) {
    const whole = field.isInt;
    return {
      ...none,
      type: whole ? 'INT' : 'FLOAT',
      min: limit(field.minValue),
      max: limit(field.maxValue),
      step: stepOf(field) ?? (whole ? 1 : null),
    };
  }
  return undefined;
}

/** The descriptor of one field; throws for an unsupported kind of field, so that a test fails. */
export function describeSetting(key: string, field: z.core.$ZodType): SettingDescriptor {
  if (!(field instanceof z.ZodDefault)) throw new TypeError(`setting ${key} has no default`);
  // zod types metadata loosely; every field declares it with `satisfies SettingMeta`, and the registry's test reads
  // all.
  const meta = field.meta() as SettingMeta | undefined;
  const shape = shapeOf(field.unwrap(), meta?.secret === true);
  if (meta === undefined || shape === undefined) throw new TypeError(`setting ${key} does not describe itself`);
  const fallback: unknown = field.def.defaultValue;
  const defaultValue =
    typeof fallback === 'string' || typeof fallback === 'number' || typeof fallback === 'boolean' ? fallback : null;
  if (meta.consent !== undefined && defaultValue !== false)
    throw new TypeError(`setting ${key} needs a consent, so it is a boolean that is off by default`);
  if (meta.protects !== undefined && (meta.secret === true || meta.readOnly === true || defaultValue === null))
    throw new TypeError(`setting ${key} is protected by its value, so it is no secret and no reading`);
  const isState = meta.isState === true || (typeof meta.ha === 'object' && meta.ha.entityKind === 'text');
  return {
    key,
    field,
    ...shape,
    maxLength: isState && shape.maxLength !== null ? Math.min(shape.maxLength, STATE_LENGTH) : shape.maxLength,
    storedLength: shape.maxLength,
    isState,
    group: meta.group,
    label: meta.title,
    help: meta.help,
    default: defaultValue === null ? '' : String(defaultValue),
    defaultValue,
    tier: UPPER.tier[meta.tier],
    scope: UPPER.scope[meta.scope],
    secret: meta.secret ?? false,
    hidden: meta.hidden ?? false,
    local: meta.local ?? false,
    readOnly: meta.readOnly ?? false,
    aliases: meta.aliases ?? {},
    ha: meta.ha !== undefined,
    entity: meta.ha ?? null,
    exposedByDefault: meta.exposedByDefault ?? false,
    unit: meta.unit ?? null,
    placeholder: meta.placeholder ?? null,
    restart: meta.restart ?? false,
    needs: meta.needs ?? null,
    recipientOf: meta.recipientOf ?? null,
    consent: meta.consent ?? null,
    protects: meta.protects ?? null,
  };
}
