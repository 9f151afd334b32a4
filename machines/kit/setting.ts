/** Who a setting belongs to: this panel's name, this device's hardware, or any panel (api-facts 4.2). */
export type SettingScope = 'identity' | 'device' | 'portable';

/** How a setting that can also be a platform entity appears there. */
export interface SettingEntity {
  /** Platform of the entity: `switch` for booleans, `select` for enums, `number`, `text`. */
  readonly platform: 'switch' | 'select' | 'number' | 'text';
  /** Material Design icon name, `mdi:...`. */
  readonly icon: string;
}

/** What a settings field says about itself with zod's `.meta()`; everything else is derived from it. */
export interface SettingMeta {
  /** Label of the form field, sentence case, no full stop. */
  readonly title: string;
  /** One sentence of help. */
  readonly help: string;
  readonly group: 'identity' | 'mqtt' | 'screen' | 'sound' | 'dashboard' | 'system' | 'diagnostics';
  readonly tier: 'basic' | 'advanced';
  readonly scope: SettingScope;
  /** Unit shown inside the field, such as `%`. */
  readonly unit?: string;
  /** True when the change acts only after the agent restarts. */
  readonly restart?: boolean;
  /** True for credentials: never echoed, logged or exported. */
  readonly secret?: boolean;
  /** True for a row that only publishes a reading; it cannot be posted. */
  readonly readOnly?: boolean;
  /** Present when the platform can show it as an entity (`ha_expose_<key>`). */
  readonly ha?: SettingEntity | 'reading';
  /** Whether the entity is shown until the owner says otherwise; false when absent (api-facts 4.5). */
  readonly exposedByDefault?: boolean;
  /** Other spellings of an enum's options, lower-case, each with the option it stands for. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Example shown in the empty field. */
  readonly placeholder?: string;
}
