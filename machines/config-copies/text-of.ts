import { descriptorOf, EXPOSE_PREFIX } from '../settings.ts';
import { type Configuration, defaultConfiguration } from '../configuration.ts';

/** The default of a setting or an `ha_expose_<key>` flag as text. */
export const defaultText = (name: string): string =>
  descriptorOf(name)?.default ?? String(defaultConfiguration.expose[name.slice(EXPOSE_PREFIX.length)] ?? false);

/** Its value in force as text; null for a credential, whether it is set or not. */
export function textOf({ values, expose }: Pick<Configuration, 'values' | 'expose'>, name: string): string | null {
  const row = descriptorOf(name);
  if (row?.secret === true) return null;
  const value = row === undefined ? expose[name.slice(EXPOSE_PREFIX.length)] : values[name];
  return value === undefined ? defaultText(name) : String(value);
}
