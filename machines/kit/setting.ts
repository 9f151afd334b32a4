import type { Recipient } from './recipient.ts';

/** Who a setting belongs to: this panel's name, this device's hardware, or any panel (as panel-assistant). */
export type SettingScope = 'identity' | 'device' | 'portable';

/** A group of settings: a page under `/configure`. A manifest declares it, for its own settings and those of others. */
export interface SettingGroup {
  /** Stable, of a to z and hyphens: it is part of the page's address. */
  readonly id: string;
  /** Shown to the owner, sentence case. */
  readonly title: string;
  /** Name of one of the icons in `ui/icons.ts`. */
  readonly icon: string;
  /** The group right before it; null for the first. */
  readonly after: string | null;
}

/** How a setting that can also be an entity of Home Assistant appears there. */
export interface SettingEntity {
  /** `switch` for booleans, `select` for enums, `number`, `text`. */
  readonly entityKind: 'switch' | 'select' | 'number' | 'text';
  /** Material Design icon name, `mdi:...`. */
  readonly icon: string;
}

/** A value that a setting can have. */
export type SettingValue = string | number | boolean;

/**
 * A setting that names who gets credentials: the stored ones are cleared when somebody else is named (contract,
 * "Security modes").
 */
export interface SettingRecipient {
  /** Keys of the credentials. */
  readonly secrets: readonly string[];
  /** Keys of what is no secret and goes with them, such as whose password it is; none where left out. */
  readonly names?: readonly string[];
  /** Whom a value of the setting names; null for "". */
  readonly recipient: (value: string) => Recipient | null;
  /** Why a credential is refused while the setting names nobody; null where it waits for a recipient that is found. */
  readonly unnamed: string | null;
}

/** What a settings field says about itself with zod's `.meta()`; everything else is derived from it. */
export interface SettingMeta {
  /** Label of the form field, sentence case, no full stop. */
  readonly title: string;
  /** One sentence of help. */
  readonly help: string;
  /** Id of a group that a manifest declares under `settingGroups`. */
  readonly group: string;
  readonly tier: 'basic' | 'advanced';
  readonly scope: SettingScope;
  /** Unit shown inside the field, such as `%`. */
  readonly unit?: string;
  /** True when the change acts only after the agent restarts. */
  readonly restart?: boolean;
  /** True for credentials: never echoed, logged or exported. */
  readonly secret?: boolean;
  /** True for a credential that the agent itself writes: it is in no form and no schema, and cannot be posted. */
  readonly hidden?: boolean;
  /** True for a row that only publishes a reading; it cannot be posted. */
  readonly readOnly?: boolean;
  /** Present when Home Assistant can show it as an entity (`ha_expose_<key>`). */
  readonly ha?: SettingEntity | 'reading';
  /** True where an entity that is always there has the value as its state, which bounds the length of a text. */
  readonly isState?: boolean;
  /** Whether the entity is shown until the owner says otherwise; false when absent (as panel-assistant). */
  readonly exposedByDefault?: boolean;
  /** Other spellings of an enum's options, lower-case, each with the option it stands for. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Example shown in the empty field. */
  readonly placeholder?: string;
  /**
   * Capability without which the setting has no use: where the profile declares it absent, it is in no form and is no
   * entity.
   */
  readonly needs?: string;
  /** For a setting that names who gets credentials. */
  readonly recipientOf?: SettingRecipient;
}

/** The type names of `/api/v1/config/schema` (as panel-assistant). */
export type SettingType = 'BOOL' | 'INT' | 'FLOAT' | 'ENUM' | 'STRING' | 'PASSWORD';

/** All there is to say about one setting, derived from its zod field; the item of `/api/v1/config/schema`. */
export interface SettingDescriptor {
  readonly key: string;
  readonly type: SettingType;
  readonly group: SettingMeta['group'];
  /** Label of the form field. */
  readonly label: string;
  /** One sentence of help. */
  readonly help: string;
  /** The default as text, "" for readings. */
  readonly default: string;
  /** The default as it stands in the configuration; null for readings. */
  readonly defaultValue: SettingValue | null;
  readonly tier: 'BASIC' | 'ADVANCED';
  readonly scope: 'IDENTITY' | 'DEVICE' | 'PORTABLE';
  readonly secret: boolean;
  /** True for a credential that only the agent itself writes; it is neither shown nor posted. */
  readonly hidden: boolean;
  readonly readOnly: boolean;
  /** The options of an ENUM, else empty. */
  readonly options: readonly string[];
  /** Other spellings of the options, lower-case. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Smallest number, in `unit`; null where there is none. */
  readonly min: number | null;
  /** Largest number, in `unit`; null where there is none. */
  readonly max: number | null;
  /** Distance between two numbers, 1 for INT; null where any number serves. */
  readonly step: number | null;
  /** Longest text in characters; null for what is not text. */
  readonly maxLength: number | null;
  /** Longest text that was ever taken, and is still read where it is stored; null for what is not text. */
  readonly storedLength: number | null;
  /** Whether Home Assistant can show it (`ha_expose_<key>`). */
  readonly ha: boolean;
  /** Whether its text is the state of an entity, which holds 255 characters. */
  readonly isState: boolean;
  /** How a setting appears in Home Assistant; `reading` for rows that only publish, null where it cannot appear. */
  readonly entity: SettingEntity | 'reading' | null;
  /** Whether it is shown in Home Assistant until the owner says otherwise. */
  readonly exposedByDefault: boolean;
  readonly unit: string | null;
  readonly placeholder: string | null;
  /** True when a change acts only after the agent restarts. */
  readonly restart: boolean;
  /** Capability without which it has no use; null for most. */
  readonly needs: string | null;
  /** The credentials that are meant for whom this setting names; null for most. */
  readonly recipientOf: SettingRecipient | null;
}
