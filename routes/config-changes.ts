import { z } from 'zod';
import type { SettingDescriptor } from '#machines/kit/setting.ts';
import { descriptors, exposableSettings, EXPOSE_PREFIX } from '#machines/settings.ts';

function numberOf({ type, min, max }: SettingDescriptor): z.ZodNumber {
  const plain = type === 'INT' ? z.number().int() : z.number();
  const low = min === null ? plain : plain.min(min);
  return max === null ? low : low.max(max);
}

function typeOf(row: SettingDescriptor): z.ZodType {
  switch (row.type) {
    case 'BOOL':
      return z.boolean();
    case 'INT':
    case 'FLOAT':
      return numberOf(row);
    case 'ENUM':
      return z.enum(row.options);
    case 'STRING':
    case 'PASSWORD':
      return row.maxLength === null ? z.string() : z.string().max(row.maxLength);
  }
}

const fieldOf = (row: SettingDescriptor): z.ZodType =>
  typeOf(row)
    .nullable()
    .optional()
    .meta({ description: row.unit === null ? row.label : `${row.label}, in ${row.unit}` });

/**
 * What a save of settings may contain, as the registry describes it. It serves only the OpenAPI document: the settings
 * themselves validate what is sent, and accept further spellings. Null restores a default, or clears a secret.
 */
export const configChanges = () =>
  z
    .strictObject(
      Object.fromEntries([
        ...descriptors.filter((row) => !row.readOnly && !row.hidden).map((row) => [row.key, fieldOf(row)] as const),
        ...exposableSettings.map((row) => [`${EXPOSE_PREFIX}${row.key}`, z.boolean().nullable().optional()] as const),
      ]),
    )
    .meta({
      id: 'ConfigChanges',
      description: 'The settings to change; what is left out stays. `ha_expose_*`: true if Home Assistant shows it.',
    });
