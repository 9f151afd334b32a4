import { z } from 'zod';

import { once } from './once.ts';
import type { Recipient } from './recipient.ts';

/** Who a setting belongs to: this panel's name, this device's hardware, or any panel (as panel-assistant). */
type SettingScope = 'identity' | 'device' | 'portable';

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
interface SettingEntity {
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
interface SettingRecipient {
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

/** One setting as `/api/v1/config/schema` tells it (as panel-assistant) and the form draws it. */
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
 * All there is to say about one setting, projected from its zod field by `describeSetting`: what is told of it, and
 * what only the panel itself needs. Checker, entities, form and API use this and nothing else.
 */
export interface SettingDescriptor extends Omit<SettingItem, 'available' | 'exposed' | 'type'> {
  readonly type: Exclude<SettingItem['type'], 'LONG'>;
  /** The field itself, which judges and normalises a value. */
  readonly field: z.ZodType;
  /** The default as it stands in the configuration; null for readings. */
  readonly defaultValue: SettingValue | null;
  /** Longest text that was ever taken, and is still read where it is stored; null for what is not text. */
  readonly storedLength: number | null;
  /** How a setting appears in Home Assistant; `reading` for rows that only publish, null where it cannot appear. */
  readonly entity: SettingEntity | 'reading' | null;
  readonly hidden: boolean;
  readonly isState: boolean;
  readonly exposedByDefault: boolean;
  readonly aliases: Readonly<Record<string, string>>;
  /** Null for most. */
  readonly needs: string | null;
  readonly recipientOf: SettingRecipient | null;
}
