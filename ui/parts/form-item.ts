import type { SettingItem } from '#machines/kit/setting.ts';
import type { StatusDocument } from '#machines/status.ts';
import { t } from '../strings/t.ts';

/** One setting as the form draws it. */
export type FormItem = Omit<SettingItem, 'scope' | 'available' | 'exposed'> & {
  /** The operation that turns it on, asked at the panel in every mode; null or absent for none. */
  readonly consent?: string | null;
  /** Set if a change is asked at the panel in Hardened mode. */
  readonly protects?: unknown;
  /** Keys of the settings that are judged together with it; absent or empty for none. */
  readonly beside?: readonly string[];
};

/** The configuration in force; `<key>_set` flags tell which secrets are set. */
export interface FormValues {
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  readonly ha_expose: Readonly<Record<string, boolean>>;
}

/** True if the secret `key` is set, by its `<key>_set` flag. */
export const isSecretSet = (values: FormValues, key: string): boolean =>
  // The flags are named after the registry's secrets, so the type of the document cannot list them here.
  (values as unknown as Readonly<Record<string, unknown>>)[`${key}_set`] === true;

/** Settings for which the panel chooses a value if the owner sets none, each with the value in use. */
const chosen: Readonly<Record<string, (status: StatusDocument) => string>> = {
  friendly_name: ({ panel }) => panel.name,
  panel_id: ({ panel }) => panel.id,
  manufacturer: ({ panel }) => panel.manufacturer,
  model: ({ panel }) => panel.model,
};

/** Keys of those settings. */
export const chosenKeys: readonly string[] = Object.keys(chosen);

/**
 * Placeholder of such a setting's empty field: the value in use, or, if the owner's own value is in use (`isOwn`),
 * that one would be chosen; null for other settings.
 */
export function chosenFor(key: string, isOwn: boolean, status: StatusDocument): string | null {
  const read = chosen[key];
  if (read === undefined) return null;
  if (isOwn) return t('form.chosen_when_empty');
  const value = read(status);
  return value === '' ? t('form.chosen_unknown') : t('form.chosen', { value });
}

/** Settings that a page of their own changes: the form leaves them out. */
export const changedElsewhere: ReadonlySet<string> = new Set(['voice_pipelines']);

/** Settings of one group, or the readings. */
export interface FormGroup {
  /** Id of the group, also the last part of the page's path. */
  readonly id: string;
  readonly title: string;
  readonly items: readonly FormItem[];
}

/** The settings of a group that are visible and those that are folded; if all are advanced, none are folded. */
export function tiersOf(items: readonly FormItem[]): Readonly<Record<'basic' | 'advanced', readonly FormItem[]>> {
  const basic = items.filter(({ tier }) => tier === 'BASIC');
  if (basic.length === 0) return { basic: items, advanced: [] };
  return { basic, advanced: items.filter(({ tier }) => tier === 'ADVANCED') };
}

/** Title of the page of readings, which Home Assistant shows and no setting changes. */
export const readingsTitle = (): string => t('form.readings');
