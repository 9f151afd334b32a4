import type { SettingItem } from '#machines/kit/setting.ts';
import type { StatusDocument } from '#machines/status.ts';
import { t } from '../strings/t.ts';

/** One setting as the form draws it. */
export type FormItem = Omit<SettingItem, 'scope' | 'available' | 'exposed'>;

/** The configuration in force; `<key>_set` flags say which secrets are set. */
export interface FormValues {
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  readonly ha_expose: Readonly<Record<string, boolean>>;
}

/** Whether the secret `key` is set, from the `<key>_set` flag beside the settings. */
export const isSecretSet = (values: FormValues, key: string): boolean =>
  // The flags are named after the registry's secrets, so the type of the document cannot list them here.
  (values as unknown as Readonly<Record<string, unknown>>)[`${key}_set`] === true;

/** Settings for which the panel chooses a value where the owner set none, each with the value in use. */
const chosen: Readonly<Record<string, (status: StatusDocument) => string>> = {
  friendly_name: ({ panel }) => panel.name,
  panel_id: ({ panel }) => panel.id,
  manufacturer: ({ panel }) => panel.manufacturer,
  model: ({ panel }) => panel.model,
};

/** Keys of those settings. */
export const chosenKeys: readonly string[] = Object.keys(chosen);

/**
 * What stands in the empty field of such a setting: the value in use, or that one is chosen where the owner's own
 * (`isOwn`) is in use; null for other settings.
 */
export function chosenFor(key: string, isOwn: boolean, status: StatusDocument): string | null {
  const read = chosen[key];
  if (read === undefined) return null;
  if (isOwn) return t('form.chosen_when_empty');
  const value = read(status);
  return value === '' ? t('form.chosen_unknown') : t('form.chosen', { value });
}

/** Settings of one group, or the readings. */
export interface FormGroup {
  /** Id of the group, and the last part of the page's path. */
  readonly id: string;
  readonly title: string;
  readonly items: readonly FormItem[];
}

/** What is seen of a group at once, and what is folded away: nothing, where all of it is advanced. */
export function tiersOf(items: readonly FormItem[]): Readonly<Record<'basic' | 'advanced', readonly FormItem[]>> {
  const basic = items.filter(({ tier }) => tier === 'BASIC');
  if (basic.length === 0) return { basic: items, advanced: [] };
  return { basic, advanced: items.filter(({ tier }) => tier === 'ADVANCED') };
}

/** Title of the page of what Home Assistant shows and nobody can set. */
export const readingsTitle = (): string => t('form.readings');
