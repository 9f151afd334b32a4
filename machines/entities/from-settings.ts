import { needOfChange } from '../kit/change-need.ts';
import { type EntityRow, type RowProtection, rowsOf, STATE_LENGTH } from '../kit/entity.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import { mergeOf } from '../kit/merge-settings.ts';
import type { SettingsContext, SettingsActor, SettingValue } from '../settings/events.ts';
import type { SettingDescriptor } from '../kit/setting.ts';

const valueOf = (snapshot: SnapshotView<SettingsContext>, key: string): SettingValue | undefined =>
  snapshot.context.values[key];

/** The operation that setting this value needs now; an invalid value needs none, since the settings refuse it. */
function protectionOf(setting: SettingDescriptor): RowProtection<SettingsActor, SettingValue> {
  const { key, field, consent, protects } = setting;
  if (consent === null && protects === null) return null;
  return (value, snapshot) => {
    const before = valueOf(snapshot, key);
    if (before === undefined || !field.safeParse(value).success) return null;
    return needOfChange(setting, before, value)?.operation ?? null;
  };
}

function rowOf(setting: SettingDescriptor): EntityRow<SettingsActor> | null {
  const { key, entity } = setting;
  if (entity === null || entity === 'reading') return null;
  const base = {
    key: entity.key ?? key,
    name: setting.label,
    icon: entity.icon,
    category: 'config' as const,
    ...(setting.unit !== null && { unit: setting.unit }),
    actor: 'settings' as const,
    expose: key,
    ...(setting.needs !== null && { capability: setting.needs }),
    // A person cannot agree to hardware that the machine does not have.
    ...(setting.consent !== null && { foundByCapability: true as const }),
    available: (snapshot: SnapshotView<SettingsContext>) => valueOf(snapshot, key) !== undefined,
    protects: protectionOf(setting),
  };
  const read =
    <T extends SettingValue>(is: (value: unknown) => value is T) =>
    (snapshot: SnapshotView<SettingsContext>): T | null => {
      const value = valueOf(snapshot, key);
      return is(value) ? value : null;
    };
  const isText = (value: unknown): value is string => typeof value === 'string';
  const write = (value: SettingValue) => mergeOf({ [key]: value });
  switch (entity.entityKind) {
    case 'switch':
      return {
        ...base,
        entityKind: 'switch',
        read: read((value): value is boolean => typeof value === 'boolean'),
        write,
      };
    case 'select':
      return { ...base, entityKind: 'select', options: setting.options, read: read(isText), write };
    case 'number':
      return {
        ...base,
        entityKind: 'number',
        range: { min: setting.min ?? 0, max: setting.max ?? 100, step: setting.step ?? 1 },
        read: read((value): value is number => typeof value === 'number'),
        write,
      };
    case 'text':
      return {
        ...base,
        entityKind: 'text',
        maxLength: Math.min(STATE_LENGTH, setting.maxLength ?? STATE_LENGTH),
        read: read(isText),
        write,
      };
  }
}

/** Rows of all settings that are entities in Home Assistant; a command is one merge of the settings actor. */
export const rowsFromSettings = (settings: readonly SettingDescriptor[]) =>
  rowsOf<SettingsActor>(settings.flatMap((setting) => rowOf(setting) ?? []));
