import type { SettingDescriptor, SettingValue } from '../kit/setting.ts';

/** The part of the configuration that can differ from the defaults. */
interface InForce {
  readonly values: Readonly<Record<string, SettingValue>>;
  /** Which credentials are set. */
  readonly secrets: Readonly<Record<string, boolean>>;
  readonly expose: Readonly<Record<string, boolean>>;
}

/** True for a value other than the default, a credential that is set, and an entity shown or hidden by the owner. */
export function isChanged(row: SettingDescriptor, { values, secrets, expose }: InForce): boolean {
  if (row.ha && (expose[row.key] ?? row.exposedByDefault) !== row.exposedByDefault) return true;
  if (row.secret) return secrets[row.key] === true;
  return !row.readOnly && (values[row.key] ?? row.defaultValue) !== row.defaultValue;
}
