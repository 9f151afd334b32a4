import { z } from 'zod';

import { once } from '../kit/once.ts';
import { ownField } from '../kit/own-field.ts';
import { ok, refuse, type Result } from '../kit/result.ts';
import { descriptorOf } from '../settings.ts';
import { migratedValues, SETTINGS_SCHEMA } from '../configuration.ts';
import type { ConfigBundle } from './events.ts';

/** Kind of a bundle, which no other document of Sconce has. */
const BUNDLE_KIND = 'sconce-config';

/** Largest bundle in bytes (as panel-assistant). */
export const mostBundleBytes = 1_048_576;

/** Most values of a bundle; more than ten times the settings there are. */
const MOST_VALUES = 1024;
/** Most origins: twice the fingerprints that a machine keeps. */
const MOST_ORIGINS = 64;

type Json = Readonly<Record<string, unknown>>;

/** A bundle as this version writes it. */
export const Bundle = once(() =>
  z
    .object({
      kind: z.literal(BUNDLE_KIND).meta({ description: 'Always this.' }),
      schema: z.int().min(1).meta({ description: 'Schema number of the settings.' }),
      exported_at: z.string().max(32).meta({ description: 'When, in milliseconds since the Unix epoch, as text.' }),
      exported_by: z.string().max(255).meta({ description: 'Panel id of the panel that it is from.' }),
      origin: z
        .array(z.string().regex(/^[0-9a-f]{64}$/))
        .max(MOST_ORIGINS)
        .meta({ description: 'One digest for each known fingerprint of the machine that it is from.' }),
      values: z.record(z.string(), z.string()).meta({
        description: 'Settings and `ha_expose_<key>` flags as text; credentials only if they were asked for.',
      }),
    })
    .meta({ id: 'ConfigBundle', description: 'A portable copy of the configuration.' }),
);

/** A bundle as it may be sent: what is missing or too new is said by `readBundle`. */
export const SentBundle = once(() =>
  z
    .looseObject({
      kind: z
        .string()
        .max(64)
        .meta({ description: `\`${BUNDLE_KIND}\`.` }),
      schema: z.int().min(1).meta({ description: 'Schema number of the settings; of an earlier version too.' }),
      exported_by: z.string().max(255).optional().meta({ description: 'Panel id of the panel that it is from.' }),
      origin: Bundle()
        .shape.origin.optional()
        .meta({ description: 'The machine that it is from; without it, another one.' }),
      values: z
        .record(z.string(), z.unknown())
        .meta({ description: 'Settings and `ha_expose_<key>` flags as text; what is not taken is listed.' }),
    })
    .meta({ id: 'SentConfigBundle', description: 'A bundle that was exported from a panel.' }),
);

/** What an import reads of a bundle. */
export interface ReadBundle {
  readonly exportedBy: string;
  readonly origin: readonly string[];
  /** By the present schema; not judged. */
  readonly values: Json;
}

const entriesOf = (values: Json, isTaken: (key: string) => boolean): Json =>
  Object.fromEntries(Object.entries(values).filter(([key]) => isTaken(key)));

/** Values of a bundle in the present schema; credentials have the same keys in all of them. */
export function presentValues(values: Json, schema: number): Json {
  const isSecret = (key: string): boolean => descriptorOf(key)?.secret === true;
  const secrets = entriesOf(values, isSecret);
  return {
    ...migratedValues(
      entriesOf(values, (key) => !isSecret(key)),
      schema,
    ),
    ...secrets,
  };
}

/** Reads a bundle from outside; never throws. */
export function readBundle(sent: unknown): Result<ReadBundle, 'bad-bundle' | 'wrong-kind-or-schema'> {
  const { data } = SentBundle().safeParse(sent);
  const kind = typeof sent === 'object' && sent !== null ? ownField<unknown>(sent as Json, 'kind') : undefined;
  if (typeof kind === 'string' && kind !== BUNDLE_KIND)
    return refuse('wrong-kind-or-schema', 'This is not a configuration of Sconce: send a file that a panel exported.');
  if (data === undefined)
    return refuse('bad-bundle', 'This is not a whole configuration: send a file as a panel exported it.');
  if (data.schema > SETTINGS_SCHEMA)
    return refuse(
      'wrong-kind-or-schema',
      `This configuration is from a newer version of Sconce (schema ${data.schema}, here ${SETTINGS_SCHEMA}). Update this panel first.`,
    );
  if (Object.keys(data.values).length > MOST_VALUES)
    return refuse('bad-bundle', `The configuration has more than ${MOST_VALUES} values.`);
  return ok({
    exportedBy: data.exported_by ?? '',
    origin: data.origin ?? [],
    values: presentValues(data.values, data.schema),
  });
}

/** The bundle of a panel; `at` is when it is made. */
export const bundleOf = (facts: {
  readonly panelId: string;
  readonly origin: readonly string[];
  readonly values: ConfigBundle['values'];
  readonly at: number;
}): ConfigBundle => ({
  kind: BUNDLE_KIND,
  schema: SETTINGS_SCHEMA,
  exported_at: String(facts.at),
  exported_by: facts.panelId,
  origin: facts.origin.slice(0, MOST_ORIGINS),
  values: facts.values,
});
