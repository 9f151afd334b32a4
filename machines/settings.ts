import { z } from 'zod';
import { inPlaces } from './kit/places.ts';
import type { SettingDescriptor, SettingRule } from './kit/setting.ts';
import { describeSetting } from './settings/registry.ts';
import type { Manifest } from './subsystem.ts';
import { subsystems } from './subsystems.ts';

export { SETTINGS_SCHEMA } from './settings/schema.ts';

const manifests: readonly Manifest[] = subsystems;

/** The settings of each subsystem, in the order in which the form shows them. */
export const subsystemSettings: readonly z.ZodObject<Readonly<Record<string, z.ZodType>>>[] = inPlaces(
  'setting',
  manifests.flatMap(({ settings }) => settings ?? []),
  ({ object, after }) => ({ keys: Object.keys(object.shape), after }),
).map(({ object }) => object);

/** Every setting of the agent: the one description that validation, schema, form, entities and redaction come from. */
export const settingsObject = z.object(
  Object.fromEntries(subsystemSettings.flatMap(({ shape }) => Object.entries<z.ZodType>(shape))),
);

/** Every setting in the form's order, described. */
export const descriptors: readonly SettingDescriptor[] = Object.entries(settingsObject.shape).map(([key, field]) =>
  describeSetting(key, field),
);

const byKey: ReadonlyMap<string, SettingDescriptor> = new Map(descriptors.map((row) => [row.key, row]));

/** The descriptor of `key`; undefined if there is no such setting. */
export const descriptorOf = (key: string): SettingDescriptor | undefined => byKey.get(key);

/** Its name for people; the key itself if there is no such setting. */
export const labelOf = (key: string): string => descriptorOf(key)?.label ?? key;

/** Every rule over several settings. */
export const settingRules: readonly SettingRule[] = manifests.flatMap(({ settingRules: rules }) => rules ?? []);

/** The settings that can be posted and are shown: neither readings nor secrets. */
export const plainSettings: readonly SettingDescriptor[] = descriptors.filter((row) => !row.readOnly && !row.secret);

/** The settings that a person sees: all but the credentials that only the agent itself writes. */
export const shownSettings: readonly SettingDescriptor[] = descriptors.filter((row) => !row.hidden);

/**
 * True if a setting is useful on a panel whose profile declares `absent` capabilities absent; it can be set in any
 * case.
 */
export const isOfUse = ({ needs }: SettingDescriptor, absent: readonly string[]): boolean =>
  needs === null || !absent.includes(needs);

/** The settings that are useful on a panel whose profile declares `absent` capabilities absent. */
export const settingsFor = (absent: readonly string[]): readonly SettingDescriptor[] =>
  shownSettings.filter((row) => isOfUse(row, absent));

/** The settings that are credentials. */
export const secretSettings: readonly SettingDescriptor[] = descriptors.filter((row) => row.secret);

/** The rows that Home Assistant can show, each with a flag `ha_expose_<key>`. */
export const exposableSettings: readonly SettingDescriptor[] = descriptors.filter((row) => row.ha);

/** The prefix of the flags that show or hide an entity. */
export const EXPOSE_PREFIX = 'ha_expose_';
