import { z } from 'zod';
import { STATE_LENGTH } from '../kit/entity.ts';
import type { SettingDescriptor, SettingMeta } from '../kit/setting.ts';

/** Longest text of a setting without its own limit, in characters (as panel-assistant). */
const DEFAULT_TEXT_LENGTH = 16_384;

const UPPER = {
  tier: { basic: 'BASIC', advanced: 'ADVANCED' },
  scope: { identity: 'IDENTITY', device: 'DEVICE', portable: 'PORTABLE' },
} as const;

type Shape = Pick<SettingDescriptor, 'type' | 'options' | 'min' | 'max' | 'step' | 'maxLength'>;

const shape = (type: Shape['type'], options: string[] = [], maxLength: number | null = null): Shape => ({
  type,
  options,
  min: null,
  max: null,
  step: null,
  maxLength,
});

/**
 * The number in the check of that kind; null without one. The library's own getters go through all checks for each
 * answer, and copy what they find, which every start would do for all settings.
 */
function limitOf(field: z.ZodType, kind: 'greater_than' | 'less_than' | 'multiple_of' | 'max_length'): number | null {
  const def: object | undefined = field.def.checks?.find(({ _zod }) => _zod.def.check === kind)?._zod.def;
  if (def === undefined) return null;
  const value = 'value' in def ? def.value : 'maximum' in def ? def.maximum : null;
  return typeof value === 'number' ? value : null;
}

function shapeOf(field: z.core.$ZodType, secret: boolean): Shape | undefined {
  if (field instanceof z.ZodBoolean) return shape('BOOL');
  if (field instanceof z.ZodEnum) return shape('ENUM', field.options.map(String));
  if (field instanceof z.ZodNullable) return shapeOf(field.def.innerType, secret);
  if (field instanceof z.ZodString)
    return shape(secret ? 'PASSWORD' : 'STRING', [], limitOf(field, 'max_length') ?? DEFAULT_TEXT_LENGTH);
  if (field instanceof z.ZodNumber) {
    const whole = field instanceof z.ZodNumberFormat;
    return {
      ...shape(whole ? 'INT' : 'FLOAT'),
      min: limitOf(field, 'greater_than'),
      max: limitOf(field, 'less_than'),
      step: limitOf(field, 'multiple_of') ?? (whole ? 1 : null),
    };
  }
  return undefined;
}

/** The descriptor of one field; throws for an unsupported kind of field, so that a test fails. */
export function describeSetting(key: string, field: z.core.$ZodType): SettingDescriptor {
  if (!(field instanceof z.ZodDefault)) throw new TypeError(`setting ${key} has no default`);
  // zod types metadata loosely; `setting` adds it with its type, and the registry's test reads all.
  const meta = z.globalRegistry.get(field) as SettingMeta | undefined;
  const own = shapeOf(field.def.innerType, meta?.secret === true);
  if (meta === undefined || own === undefined) throw new TypeError(`setting ${key} does not describe itself`);
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
    type: own.type,
    options: own.options,
    min: own.min,
    max: own.max,
    step: own.step,
    maxLength: isState && own.maxLength !== null ? Math.min(own.maxLength, STATE_LENGTH) : own.maxLength,
    storedLength: own.maxLength,
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
