import { z } from '@hono/zod-openapi';
import { descriptorOf, shownSettings } from '#machines/settings.ts';
import { ConfigChanges } from '#routes/config-changes.ts';
import type { Family } from '#routes/kit/family.ts';
import { refuse } from '#machines/kit/result.ts';
import { json } from '#routes/kit/answer.ts';
import { summaryOf } from '#routes/kit/issues.ts';
import { restarting } from '#routes/kit/problem.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';

const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** The configuration as it is served: credentials are blank, and a flag says which are set. */
export const Configuration = z
  .object({
    panel_id: z.string(),
    friendly_name: z.string(),
    manufacturer: z.string(),
    model: z.string(),
    http_port: z.number().int(),
    mqtt_broker: z.string(),
    mqtt_user: z.string(),
    mqtt_password_set: z.boolean(),
    mqtt_address_family: z.string(),
    ha_url: z.string(),
    ha_token_set: z.boolean(),
    version: z.string(),
    settings: z
      .record(z.string(), scalar)
      .meta({ description: 'Every settable key with its value; secrets are always "".' }),
    ha_expose: z
      .record(z.string(), z.boolean())
      .meta({ description: 'For every key that Home Assistant can show, whether it is shown there.' }),
  })
  .meta({
    id: 'Configuration',
    description: 'The configuration in force. Never build a write from it: secrets are blanked.',
  });
export type Configuration = z.infer<typeof Configuration>;

const Saved = z
  .object({ ok: z.literal(true), status: z.enum(['saved', 'no-op']), applied: z.array(z.string()) })
  .extend(Configuration.shape)
  .meta({ id: 'Saved', description: 'What was changed, and the configuration now in force.' });

const SchemaItem = z
  .object({
    key: z.string(),
    type: z.enum(['BOOL', 'INT', 'LONG', 'FLOAT', 'ENUM', 'STRING', 'PASSWORD']),
    group: z.string(),
    label: z.string(),
    help: z.string(),
    default: z.string(),
    tier: z.enum(['BASIC', 'ADVANCED']),
    scope: z.enum(['IDENTITY', 'DEVICE', 'PORTABLE']),
    secret: z.boolean(),
    readOnly: z.boolean(),
    options: z.array(z.string()),
    min: z.number().nullable(),
    max: z.number().nullable(),
    step: z.number().nullable(),
    maxLength: z.number().int().nullable(),
    ha: z.boolean().meta({ description: 'Whether Home Assistant can show it.' }),
    exposed: z.boolean().meta({ description: 'Whether Home Assistant shows it now.' }),
    unit: z.string().nullable(),
    placeholder: z.string().nullable(),
    restart: z.boolean(),
  })
  .meta({ id: 'SchemaItem' });

/** How long a save may take before the caller is asked to read again, in milliseconds. */
const saveTimeoutMs = 10_000;

/** Largest configuration body in bytes (as panel-assistant). */
const maxConfigBytes = 262_144;

/** The configuration in force with credentials blanked; undefined while the settings part restarts. */
export const readConfiguration = (deps: RouteDeps): Configuration | undefined => {
  const settings = deps.registry.read('settings');
  const identity = deps.registry.read('identity');
  if (settings === undefined || identity === undefined || settings.context.revision === 0) return undefined;
  const { values, secrets, expose } = settings.context;
  const blank = Object.fromEntries(
    Object.keys(secrets).flatMap((key) => (descriptorOf(key)?.hidden === true ? [] : [[key, '']])),
  );
  const word = (key: string): string => String(values[key] ?? '');
  return {
    panel_id: identity.context.panelId,
    friendly_name: identity.context.friendlyName,
    manufacturer: identity.context.manufacturer,
    model: identity.context.model,
    http_port: deps.registry.read('http')?.context.port ?? -1,
    mqtt_broker: word('mqtt_broker'),
    mqtt_user: word('mqtt_user'),
    mqtt_password_set: secrets['mqtt_password'] ?? false,
    mqtt_address_family: word('mqtt_address_family'),
    ha_url: word('ha_url'),
    ha_token_set: secrets['ha_token'] ?? false,
    version: deps.version,
    settings: { ...values, ...blank },
    ha_expose: { ...expose },
  };
};

/** Reading and changing the configuration. */
export const configRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'getConfig',
      method: 'get',
      path: '/api/v1/config',
      tag: 'configuration',
      summary: 'The configuration with credentials redacted',
      description: 'Flags say which credentials are set. Never build a write from it: secrets are blank.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: {
        200: json('The configuration.', Configuration),
      },
      problems: ['restarting'],
    },
    ({ answer }) => {
      const configuration = readConfiguration(deps);
      return configuration === undefined ? restarting('settings') : answer(200, configuration);
    },
  );
  declare(
    {
      operationId: 'changeConfig',
      method: 'post',
      path: '/api/v1/config',
      tag: 'configuration',
      summary: 'Change settings: a partial merge, all or nothing',
      description:
        'Send only the keys to change, flat; `ha_expose_<key>` shows or hides an entity. An absent or empty secret keeps the stored one, null clears it; null on another key restores its default. Changing the address of the broker or of Home Assistant clears the credentials stored for the old one unless the same save replaces them. The answer comes once the change is durable.',
      guard: 'write',
      protects: null,
      maxBodyBytes: maxConfigBytes,
      body: {
        reads: 'flat',
        description: 'Keys of `/api/v1/config/schema` and `ha_expose_<key>`, flat.',
        schema: ConfigChanges,
        refusal: { code: 'invalid-config' },
        example: { volume: 40, ha_expose_diag_cpu: true },
      },
      answers: {
        200: json('Saved, durably, or nothing to change.', Saved),
      },
      problems: ['invalid-config', 'commit-failed', 'restarting', 'save-unknown'],
    },
    async ({ body, answer }) => {
      const asked = await deps.registry.ask('settings', { type: 'settings.merge', patch: body }, saveTimeoutMs);
      if (!asked.ok) {
        if (asked.reason === 'absent') return restarting('settings');
        return refuse(
          'save-unknown',
          'The save is taking long, or its part was restarted: it may still have happened. Read the settings to see.',
        );
      }
      const outcome = asked.value;
      if (outcome.status === 'refused') {
        const { reasons } = outcome;
        return { ok: false, reason: 'invalid-config', message: summaryOf(reasons), reasons };
      }
      if (outcome.status === 'commit-failed') {
        return refuse(
          'commit-failed',
          `Nothing was changed: the settings could not be written to disk (${outcome.reason}). Free or repair the disk and save again.`,
        );
      }
      const configuration = readConfiguration(deps);
      if (configuration === undefined) return restarting('settings');
      const applied = outcome.status === 'saved' ? [...outcome.applied] : [];
      return answer(200, { ok: true, status: outcome.status, applied, ...configuration });
    },
  );
  declare(
    {
      operationId: 'getConfigSchema',
      method: 'get',
      path: '/api/v1/config/schema',
      tag: 'configuration',
      summary: 'What settings there are',
      description: 'One item for each setting in the order of the form, with type, limits, default and help.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: {
        200: json('One item per setting.', z.array(SchemaItem)),
      },
      problems: [],
    },
    ({ answer }) => {
      const expose = deps.registry.read('settings')?.context.expose ?? {};
      return answer(
        200,
        shownSettings.map((item) => schemaItem(item, expose[item.key] ?? false)),
      );
    },
  );
};

/** One descriptor as the schema route serves it. */
const schemaItem = (item: (typeof shownSettings)[number], exposed: boolean): z.infer<typeof SchemaItem> => ({
  ...SchemaItem.parse({ ...item, exposed }),
});
