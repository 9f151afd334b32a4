import { z } from 'zod';
import { settingItem } from '#machines/kit/setting.ts';
import { offWords } from '#machines/kit/off-words.ts';
import { mergeSettings } from '#machines/settings/merge.ts';
import { settingGroups } from '#machines/setting-groups.ts';
import { once } from '#machines/kit/once.ts';
import { mqttSettings } from '#machines/mqtt/settings.ts';
import { descriptorOf, isOfUse, labelOf, shownSettings } from '#machines/settings.ts';
import { UNDECIDED } from '#machines/store/loss.ts';
import { configChanges } from '#routes/config-changes.ts';
import { absentNow } from '#routes/kit/absent-now.ts';
import type { Family } from '#routes/kit/family.ts';
import { refuse } from '#machines/kit/result.ts';
import { json } from '#routes/kit/answer.ts';
import { lookUpHome } from '#actors/kit/home-choice.ts';
import { summaryOf } from '#routes/kit/issues.ts';
import { operationBusy } from '#routes/kit/operation-busy.ts';
import { type ConfigNeed, configNeed, settingOperations } from '#routes/kit/config-protects.ts';
import { type Refusal, restarting } from '#routes/kit/problem.ts';
import { requestedFrom } from '#routes/kit/requested-from.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import type { Scalar } from '#routes/kit/route-spec.ts';

const scalar = once(() => z.union([z.string(), z.number(), z.boolean()]));

/** The configuration as it is served: credentials are blank, and a flag says which are set. */
export const Configuration = once(() =>
  z
    .object({
      panel_id: z.string().meta({ description: 'Panel id in force: 1 to 63 of a to z, 0 to 9 and _.' }),
      friendly_name: z.string().meta({ description: 'Name in force.' }),
      manufacturer: z.string().meta({ description: 'Maker in force; "" while unknown.' }),
      model: z.string().meta({ description: 'Model in force; "" while unknown.' }),
      http_port: z.int().meta({ description: 'TCP port of this service; -1 while it does not listen.' }),
      mqtt_broker: z.string().meta({ description: 'Address of the broker; "" for the one that is found.' }),
      mqtt_user: z.string().meta({ description: 'User name at the broker; "" for none.' }),
      mqtt_password_set: z.boolean().meta({ description: 'True if a password for the broker is stored.' }),
      mqtt_address_family: z
        .enum(mqttSettings.shape.mqtt_address_family.unwrap().enum)
        .meta({ description: 'Protocol towards the broker and Home Assistant.' }),
      ha_url: z.string().meta({ description: 'Address of Home Assistant; "" for none.' }),
      ha_token_set: z.boolean().meta({ description: 'True if a long-lived token is stored.' }),
      ha_auth: z
        .object({
          configured: z.boolean().meta({ description: 'True if a credential for Home Assistant is stored.' }),
          oauth: z.boolean().meta({ description: 'True if it comes from a sign-in.' }),
        })
        .meta({ description: 'The state of the credentials.' }),
      version: z.string().meta({ description: 'Version of Sconce, semantic versioning.' }),
      settings: z
        .record(z.string(), scalar())
        .meta({ description: 'Every settable key with its value; secrets are always "".' }),
      ha_expose: z.record(z.string(), z.boolean()).meta({
        description:
          'For every key, true if its entity is shown in Home Assistant; false for a key without an entity that can be shown or hidden (`ha` of its schema).',
      }),
    })
    .meta({
      id: 'Configuration',
      description: 'The configuration in force. Never build a write from it: secrets are blanked.',
    }),
);
export type Configuration = z.infer<ReturnType<typeof Configuration>>;

/** The result of a save, and what is in force after it. */
export const Saved = once(() =>
  Configuration()
    .and(
      z.object({
        ok: z.literal(true).meta({ description: 'It is done.' }),
        status: z.enum(['saved', 'no-op', 'off-unsaved']).meta({
          description:
            '`no-op`: nothing had to be changed. `off-unsaved`: off now, but the disk refused to save that; it is tried again until it is saved, and if the panel restarts before, it is on again.',
        }),
        applied: z.array(z.string()).meta({ description: 'Keys that were changed, including cleared credentials.' }),
        cleared: z.array(z.string()).meta({
          description: 'Those credentials among them that were cleared because they were for the old address.',
        }),
        message: z.string().meta({ description: 'The same in a sentence.' }),
        revision: z.int().meta({
          description:
            'Revision of the configuration; once a part has applied it, its `settings_revision` in the status is no lower.',
        }),
      }),
    )
    .meta({ id: 'Saved', description: 'What was changed, and the configuration now in force.' }),
);

/** One setting. */
export const SchemaItem = once(() =>
  settingItem()
    .extend({ group: z.enum(settingGroups.map(({ id }) => id)).meta({ description: 'Where it is on the page.' }) })
    .meta({ id: 'SchemaItem', description: 'One setting: its type, limits, default and words.' }),
);

/** Every setting that is shown, as one that Home Assistant does not show. */
const unexposed = Object.fromEntries(shownSettings.map(({ key }) => [key, false]));

/** How long a save may take before the caller is asked to read again, in milliseconds. */
const saveTimeoutMs = 10_000;

/** Largest configuration body in bytes (as panel-assistant). */
const maxConfigBytes = 262_144;

/** The configuration in force with credentials blanked; undefined while the settings part restarts. */
export function readConfiguration(deps: RouteDeps): Configuration | undefined {
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
    mqtt_address_family: mqttSettings.shape.mqtt_address_family.parse(values['mqtt_address_family']),
    ha_url: word('ha_url'),
    ha_token_set: secrets['ha_token'] ?? false,
    ha_auth: {
      configured: secrets['ha_token'] === true || secrets['ha_oauth'] === true,
      oauth: secrets['ha_oauth'] === true,
    },
    version: deps.version,
    settings: { ...values, ...blank },
    ha_expose: { ...unexposed, ...expose },
  };
}

/** Why a valid save failed, for people; the reasons are the system's codes. */
function unsavedWords(reason: string, what = 'Nothing was changed'): string {
  if (reason === 'ENOSPC' || reason === 'EDQUOT')
    return `${what}: the disk is full (${reason}). Free some of it and save again.`;
  if (reason === 'newer-format') return `${what}: a newer version of Sconce has written the settings. ${UNDECIDED}`;
  if (reason === 'EROFS') return `${what}: the disk can only be read. Make it writable and save again.`;
  return `${what}: the settings could not be written to disk (${reason}). Free or repair the disk and save again.`;
}

const offUnsavedWords = (off: readonly string[], reason: string): string =>
  `${offWords(off.map(labelOf))}: the disk refused it (${reason}). The panel tries again until it is saved; if it restarts before that, it is on again. Free or repair the disk.`;

const unseenHome = ' Home Assistant could not be asked whether it has this home dashboard.';

/** The result of a save, for people. */
function savedWords(applied: readonly string[], cleared: readonly string[], isHomeUnseen: boolean): string {
  if (applied.length === 0) return 'Nothing had to be changed; nothing was written.';
  const values = applied.filter((key) => !cleared.includes(key)).length;
  const changed = values === 1 ? 'One value was changed.' : `${values} values were changed.`;
  const saved = `${changed}${isHomeUnseen && applied.includes('home_dashboard') ? unseenHome : ''}`;
  if (cleared.length === 0) return saved;
  const names = cleared.map((key) => `"${labelOf(key)}"`).join(' and ');
  const why = cleared.length === 1 ? 'was cleared: it was' : 'were cleared: they were';
  return `${saved} ${names} ${why} for the old address.`;
}

interface SentConfig {
  readonly c: object;
  readonly body: Readonly<Record<string, Scalar>>;
}

/** The refusal of a save with a sentence for each field. */
const invalid = (reasons: Readonly<Record<string, string>>): Refusal<'invalid-config'> => ({
  ok: false,
  reason: 'invalid-config',
  message: summaryOf(reasons),
  reasons,
});

export const configRoutes: Family = ({ declare, deps }) => {
  /** What each request was found to need, for its save: by then the values may be others. */
  const needs = new WeakMap<object, ConfigNeed>();
  const valuesNow = () => deps.registry.read('settings')?.context.values ?? {};
  /** What Home Assistant says of a home dashboard; another Home Assistant has other dashboards. */
  const homeOf = async (body: SentConfig['body']) =>
    body['ha_url'] === undefined ? lookUpHome(deps.registry, body['home_dashboard']) : null;

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
      answers: () => ({
        200: json('The configuration.', Configuration()),
      }),
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
        'Send only the keys to change, flat; `ha_expose_<key>` shows or hides an entity. An absent or empty secret keeps the stored one, null clears it; null on another key restores its default. Changing the address of the broker or of Home Assistant clears the credentials stored for the old one, unless the same save replaces them; `cleared` lists them. What only a person at the panel turns on is off at once, also if the disk refuses to save that (`off-unsaved`). A `home_dashboard` that Home Assistant does not have is refused with the nearest ones, if Home Assistant can be asked. The answer comes once the change is durable.',
      guard: 'write',
      protects: ({ c, body }: SentConfig) => {
        const need = configNeed(body, valuesNow());
        needs.set(c, need);
        return need.request;
      },
      operations: settingOperations(),
      check: async ({ c, body }: SentConfig) => {
        const { mixed = null, request = null } = needs.get(c) ?? {};
        if (mixed !== null) return mixed;
        const settings = deps.registry.read('settings')?.context;
        if (settings === undefined) return restarting('settings');
        // A credential that is stored has no part in what is refused.
        const merged = mergeSettings({ ...settings, secrets: {} }, body, null, {
          consent: request?.operation,
          admitted: 'all',
        });
        if (merged.status === 'refused') return invalid(merged.reasons);
        const home = await homeOf(body);
        return home?.ok === false ? invalid({ home_dashboard: home.message }) : null;
      },
      maxBodyBytes: maxConfigBytes,
      body: () => ({
        reads: 'flat',
        description: 'Keys of `/api/v1/config/schema` and `ha_expose_<key>`, flat.',
        schema: configChanges,
        refusal: { code: 'invalid-config' },
        example: { volume_limit_percent: 80, ha_expose_diag_cpu: true },
      }),
      answers: () => ({
        200: json('Saved durably, or nothing to change.', Saved()),
      }),
      problems: [
        'invalid-config',
        'separate-sensitive-changes',
        'operation-busy',
        'commit-failed',
        'restarting',
        'save-unknown',
      ],
    },
    async ({ c, body, answer }) => {
      const home = await homeOf(body);
      if (home?.ok === false) return invalid({ home_dashboard: home.message });
      const admitted = needs.get(c)?.operations ?? [];
      const merge = { type: 'settings.merge' as const, patch: body, from: requestedFrom(c, deps), admitted };
      const asked = await deps.registry.ask('settings', merge, saveTimeoutMs);
      if (!asked.ok) {
        if (asked.reason === 'absent') return restarting('settings');
        return refuse(
          'save-unknown',
          'The save is taking long, or its part was restarted: it may still have happened. Read the settings to find out.',
        );
      }
      const outcome = asked.value;
      if (outcome.status === 'refused') return invalid(outcome.reasons);
      const off = outcome.status === 'commit-failed' ? (outcome.off ?? []) : [];
      const isOff = off.length > 0 && Object.keys(body).every((key) => off.includes(key));
      if (outcome.status === 'commit-failed' && !isOff) {
        const what = off.length === 0 ? undefined : `${offWords(off.map(labelOf))}. Nothing else was changed`;
        return refuse('commit-failed', unsavedWords(outcome.reason, what));
      }
      if (outcome.status === 'busy' || outcome.status === 'stale') return operationBusy(deps);
      const configuration = readConfiguration(deps);
      if (configuration === undefined) return restarting('settings');
      const [applied, cleared] = outcome.status === 'saved' ? [outcome.applied, outcome.cleared ?? []] : [off, []];
      return answer(200, {
        ok: true,
        status: outcome.status === 'commit-failed' ? 'off-unsaved' : outcome.status,
        applied,
        cleared,
        message:
          outcome.status === 'commit-failed'
            ? offUnsavedWords(off, outcome.reason)
            : savedWords(applied, cleared, home?.value.isKnown === false),
        revision: deps.registry.read('settings')?.context.revision ?? 0,
        ...configuration,
      });
    },
  );
  declare(
    {
      operationId: 'getConfigSchema',
      method: 'get',
      path: '/api/v1/config/schema',
      tag: 'configuration',
      summary: 'The available settings',
      description: 'One item for each setting in the order of the form, with type, limits, default and help.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: () => ({
        200: json('One item per setting.', z.array(SchemaItem())),
      }),
      problems: [],
    },
    ({ answer }) => {
      const expose = deps.registry.read('settings')?.context.expose ?? {};
      const absent = absentNow(deps);
      return answer(
        200,
        shownSettings.map((item) =>
          SchemaItem().parse({ ...item, available: isOfUse(item, absent), exposed: expose[item.key] ?? false }),
        ),
      );
    },
  );
};
