import { z } from 'zod';

import { once } from './once.ts';
import type { SettingProtection } from './operation.ts';
import type { Recipient } from './recipient.ts';

/** What a setting belongs to: this panel's name, this device's hardware, or any panel (as panel-assistant). */
type SettingScope = 'identity' | 'device' | 'portable';

/** A group of settings: a page under `/configure`. One manifest declares it; any may put settings into it. */
export interface SettingGroup {
  /** Stable, a to z and hyphens: part of the page's URL. */
  readonly id: string;
  /** Shown to the owner, sentence case. */
  readonly title: string;
  /** Name of one of the icons in `ui/icons.ts`. */
  readonly icon: string;
  /** The group right before it; null for the first. */
  readonly after: string | null;
}

/** How a setting appears as an entity in Home Assistant. */
interface SettingEntity {
  /** `switch` for booleans, `select` for enums, `number`, `text`. */
  readonly entityKind: 'switch' | 'select' | 'number' | 'text';
  /** Material Design icon name, `mdi:...`. */
  readonly icon: string;
  /** Key of the entity, if it is not that of the setting (`voice_assistant`). */
  readonly key?: string;
}

export type SettingValue = string | number | boolean;

/**
 * A setting that names the recipient of credentials: the stored ones are cleared when the recipient changes (contract,
 * "Security modes").
 */
interface SettingRecipient {
  /** Keys of the credentials. */
  readonly secrets: readonly string[];
  /** Keys of settings that are no secrets but are cleared with them, such as the user name; none if absent. */
  readonly names?: readonly string[];
  /** The recipient that a value names; null for "". */
  readonly recipient: (value: string) => Recipient | null;
  /** Why a credential is refused while the setting names no recipient; null if it waits for one to be found. */
  readonly unnamed: string | null;
}

/** A rule over several settings. */
export interface SettingRule {
  /** Keys of the settings it reads. */
  readonly keys: readonly string[];
  /**
   * Judges the values that would be in force: by key, why that one is refused; empty if the rule holds. The sentence is
   * for the owner and names the fix.
   */
  readonly judge: (values: Readonly<Record<string, SettingValue>>) => Readonly<Record<string, string>>;
}

/** What describes a setting beside its schema (`fields.ts`); everything else is derived from the two. */
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
  /** True if a change takes effect only after the agent restarts. */
  readonly restart?: boolean;
  /** True for credentials: never echoed, logged or exported. */
  readonly secret?: boolean;
  /** True for a credential that only the agent writes: it is in no form and no schema, and cannot be posted. */
  readonly hidden?: boolean;
  /**
   * True for a setting of this installation alone: it is in no export, backup or revision, and none of them changes it.
   */
  readonly local?: boolean;
  /** True for a row that only publishes a reading; it cannot be posted. */
  readonly readOnly?: boolean;
  /** Present if Home Assistant can show it as an entity (`ha_expose_<key>`). */
  readonly ha?: SettingEntity | 'reading';
  /** True if the value is the state of an entity that always exists, which limits the length of a text. */
  readonly isState?: boolean;
  /** True if the entity is shown by default; false if absent (as panel-assistant). */
  readonly exposedByDefault?: boolean;
  /** Other lower-case spellings of an enum's options, each with its option. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Shown in the empty field. */
  readonly placeholder?: string;
  /**
   * Capability that the setting needs: if the profile declares it absent, the setting is in no form and is no entity.
   */
  readonly needs?: string;
  /** Present if the setting names the recipient of credentials. */
  readonly recipientOf?: SettingRecipient;
  /**
   * Operation of every mode: only its approval at the panel turns this boolean on, which is off by default. Turning it
   * off is open.
   */
  readonly consent?: string;
  /** What changes need in Hardened mode; they are open if absent. */
  readonly protects?: SettingProtection;
}

/** One setting as in `/api/v1/config/schema` (as panel-assistant) and in the form. */
export const settingItem = once(() =>
  z.object({
    key: z.string().meta({ description: 'Its name in a save.' }),
    type: z
      .enum(['BOOL', 'INT', 'LONG', 'FLOAT', 'ENUM', 'STRING', 'PASSWORD'])
      .meta({ description: 'Kind of value; `PASSWORD` is text that is never told.' }),
    group: z.string(),
    label: z.string().meta({ description: 'Its name for people.' }),
    help: z.string().meta({ description: 'What it does, one sentence.' }),
    default: z.string().meta({ description: 'Its default as text; "" for a reading.' }),
    tier: z.enum(['BASIC', 'ADVANCED']).meta({ description: '`ADVANCED` ones are folded on the page.' }),
    scope: z
      .enum(['IDENTITY', 'DEVICE', 'PORTABLE'])
      .meta({ description: 'Whom it belongs to: this panel’s name, this hardware, or any panel.' }),
    secret: z.boolean().meta({ description: 'Whether it is a credential.' }),
    readOnly: z.boolean().meta({ description: 'True for a reading that Home Assistant shows; it cannot be saved.' }),
    available: z.boolean().meta({
      description: 'False where the profile says that this panel has no such part; it can be saved all the same.',
    }),
    options: z.array(z.string()).meta({ description: 'The values of an `ENUM`; else empty.' }),
    min: z.number().nullable().meta({ description: 'Smallest number; null without one.' }),
    max: z.number().nullable().meta({ description: 'Largest number; null without one.' }),
    step: z.number().nullable().meta({ description: 'Distance between numbers; null where any serves.' }),
    maxLength: z.int().nullable().meta({ description: 'Longest text in characters; null for what is no text.' }),
    ha: z.boolean().meta({ description: 'Whether Home Assistant can show it.' }),
    exposed: z.boolean().meta({ description: 'Whether Home Assistant shows it now.' }),
    unit: z.string().nullable().meta({ description: 'Unit of the number; null without one.' }),
    placeholder: z.string().nullable().meta({ description: 'An example for the empty field; null without one.' }),
    restart: z.boolean().meta({ description: 'Whether a change acts only after the agent restarts.' }),
  }),
);
export type SettingItem = z.infer<ReturnType<typeof settingItem>>;

/**
 * Everything about one setting, derived from its zod field by `describeSetting`: the public part, and what only the
 * panel itself needs. Checker, entities, form and API use nothing else.
 */
export interface SettingDescriptor extends Omit<SettingItem, 'available' | 'exposed' | 'type'> {
  readonly type: Exclude<SettingItem['type'], 'LONG'>;
  /** The field itself, which validates and normalises a value. */
  readonly field: z.ZodType;
  /** The default as a configuration value; null for readings. */
  readonly defaultValue: SettingValue | null;
  /** Longest text that any version accepted, which is still read if stored; null if it is not text. */
  readonly storedLength: number | null;
  /** How it appears in Home Assistant; `reading` if it only publishes, null if it cannot appear. */
  readonly entity: SettingEntity | 'reading' | null;
  readonly hidden: boolean;
  readonly local: boolean;
  readonly isState: boolean;
  readonly exposedByDefault: boolean;
  readonly aliases: Readonly<Record<string, string>>;
  readonly needs: string | null;
  readonly recipientOf: SettingRecipient | null;
  readonly consent: string | null;
  readonly protects: SettingProtection | null;
}
