import { inPlaces } from './kit/places.ts';
import type { SettingGroup } from './kit/setting.ts';
import { descriptorOf, descriptors } from './settings.ts';
import type { Manifest } from './subsystem.ts';
import { subsystems } from './subsystems.ts';

/** The page of read-only settings that Home Assistant can show; no group has this name. */
export const READINGS_PAGE = 'readings';

/** The groups that these manifests declare, in the order of their places. */
export const groupsOf = (manifests: readonly Manifest[]): readonly SettingGroup[] =>
  inPlaces(
    'group of settings',
    manifests.flatMap(({ settingGroups: own }) => own ?? []),
    ({ id, after }) => ({ keys: [id], after }),
  );

/** Every group of settings, in the order in which pages show them. */
export const settingGroups: readonly SettingGroup[] = groupsOf(subsystems);

/** Names of the pages of a fully equipped panel; other panels leave out those without anything to set. */
export const settingPages: readonly string[] = [
  ...settingGroups.map(({ id }) => id).filter((id) => descriptors.some((row) => row.group === id && !row.readOnly)),
  READINGS_PAGE,
];

/** The path of the field of `key`; of all settings if there is no such field. */
export function pathOfField(key: string): string {
  const row = descriptorOf(key);
  if (row === undefined) return '/configure';
  return row.readOnly ? `/configure/${READINGS_PAGE}#expose-${key}` : `/configure/${row.group}#field-${key}`;
}
