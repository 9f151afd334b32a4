type Values = Readonly<Record<string, unknown>>;

/**
 * Number of the schema of the stored settings. It goes up with a change that an earlier version would misread (a
 * renamed key, a value that means something else), together with the format of the document (`drivers/store`), so that
 * an earlier version uses its own copy. A new setting needs no new number.
 */
export const SETTINGS_SCHEMA: number = 1;

/** Turns values of one schema into those of the next; pure. */
export interface SettingsMigration {
  /** The schema that it reads; it makes values of `from + 1`. */
  readonly from: number;
  /** Gets and returns values by setting, flags as `ha_expose_<key>`; never a credential, whose key is stable. */
  readonly migrate: (values: Values) => Values;
}

/** The migrations, in order: one for each schema before the present one. */
export const settingsMigrations: readonly SettingsMigration[] = [];

/** The schema of a stored section `settings`; settings without a number are of the first one. */
export function schemaOf(settings: Values): number {
  const { schema } = settings;
  return typeof schema === 'number' && Number.isSafeInteger(schema) && schema > 0 ? schema : 1;
}

/**
 * Values of an earlier schema in the present one, with flags as `ha_expose_<key>`. Those of a newer schema cannot be
 * read: none are returned.
 */
export function migratedValues(
  values: Values,
  schema: number,
  migrations: readonly SettingsMigration[] = settingsMigrations,
): Values {
  if (schema > migrations.length + 1) return {};
  return migrations.filter(({ from }) => from >= schema).reduce((read, { migrate }) => migrate(read), values);
}
