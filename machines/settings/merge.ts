import { nearestName } from '../kit/nearest-name.ts';
import { descriptorOf, EXPOSE_PREFIX, exposableSettings, plainSettings, secretSettings } from '../settings.ts';
import { isSameRecipient } from '../kit/recipient.ts';
import { ok, refuse, type Result } from '../kit/result.ts';
import { spelledBoolean } from '../kit/spelled.ts';
import { checkValue } from './check-value.ts';
import { judgedWith, refusedTogether } from './rules.ts';
import { type Approved, everyWay, unapproved } from './unapproved.ts';
import type { OwnWrite, SettingValue } from './events.ts';
import type { SettingDescriptor } from '../kit/setting.ts';

/** A whole configuration with secrets: it exists only inside the writer, never in a snapshot. */
export interface Configuration {
  /** Every plain setting with its value. */
  readonly values: Readonly<Record<string, SettingValue>>;
  /** The credentials that are set, by key; an absent one is not set. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The flag of every row that Home Assistant can show. */
  readonly expose: Readonly<Record<string, boolean>>;
}

/** The stored changes of a patch; null means back to the default (values, expose) or removed (secrets). */
export interface Changes {
  readonly values: Readonly<Record<string, SettingValue | null>>;
  readonly secrets: Readonly<Record<string, string | null>>;
  readonly expose: Readonly<Record<string, boolean | null>>;
}

/**
 * The result of judging a patch. `applied`: all keys whose value changes. `brought`: all credentials in the patch, also
 * unchanged ones, since supplying one assigns it. `orphaned`: credentials cleared because the recipient changed.
 */
export type Merge =
  | {
      readonly status: 'saved';
      readonly applied: readonly string[];
      readonly changes: Changes;
      readonly brought: readonly string[];
      readonly orphaned: readonly string[];
    }
  | { readonly status: 'no-op'; readonly brought: readonly string[] }
  | { readonly status: 'refused'; readonly reasons: Readonly<Record<string, string>> };

type Step =
  | { readonly kind: 'value' | 'secret' | 'expose'; readonly key: string; readonly to: SettingValue | null }
  | { readonly kind: 'keep' }
  | { readonly kind: 'refuse'; readonly why: string };

const plainKeys = new Set(plainSettings.map((row) => row.key));
const secretKeys = new Set(secretSettings.map((row) => row.key));
const exposableKeys = new Set(exposableSettings.map((row) => row.key));
const patchNames = [
  ...plainKeys,
  ...[...secretKeys].filter((key) => descriptorOf(key)?.hidden !== true),
  ...[...exposableKeys].map((key) => EXPOSE_PREFIX + key),
];

/** The configuration of a new panel. */
export const defaultConfiguration: Configuration = {
  values: Object.fromEntries(plainSettings.map((row) => [row.key, row.defaultValue ?? ''])),
  secrets: {},
  expose: Object.fromEntries(exposableSettings.map((row) => [row.key, row.exposedByDefault])),
};

function unknownKey(name: string): Step {
  const shown = name.slice(0, 64);
  const near = nearestName(name, patchNames);
  return {
    kind: 'refuse',
    why: `There is no setting named ${shown}${near === null ? '; /api/v1/config/schema lists those there are.' : `; did you mean ${near}?`}`,
  };
}

function judgeExpose(name: string, raw: unknown): Step {
  const key = name.slice(EXPOSE_PREFIX.length);
  const row = descriptorOf(key);
  if (row === undefined) return unknownKey(name);
  if (!exposableKeys.has(key))
    return { kind: 'refuse', why: `${row.label} cannot be shown in Home Assistant; leave ${name} out.` };
  if (raw === null) return { kind: 'expose', key, to: null };
  const to = spelledBoolean(raw);
  return to === undefined
    ? { kind: 'refuse', why: `Showing ${row.label.toLowerCase()} in Home Assistant must be true or false.` }
    : { kind: 'expose', key, to };
}

function judgeSetting(row: SettingDescriptor, raw: unknown): Step {
  if (row.readOnly)
    return { kind: 'refuse', why: `${row.label} is a reading and cannot be set; leave ${row.key} out.` };
  const kind = row.secret ? 'secret' : 'value';
  if (raw === null) return { kind, key: row.key, to: null };
  if (row.secret && raw === '') return { kind: 'keep' };
  // An emptied field returns to its default if that is not empty.
  if (typeof raw === 'string' && raw.trim() === '' && row.default !== '') return { kind, key: row.key, to: null };
  const checked = checkValue(row, raw);
  return checked.ok ? { kind, key: row.key, to: checked.value } : { kind: 'refuse', why: checked.message };
}

function judge(name: string, raw: unknown, own: boolean): Step {
  const row = descriptorOf(name);
  if (row !== undefined && (own || !row.hidden)) return judgeSetting(row, raw);
  return name.startsWith(EXPOSE_PREFIX) ? judgeExpose(name, raw) : unknownKey(name);
}

/**
 * The stored credentials that would go to another recipient after these changes and that the patch does not replace.
 */
const orphanedSecrets = (current: Configuration, values: Changes['values'], replaced: ReadonlySet<string>): string[] =>
  plainSettings.flatMap(({ key, recipientOf, defaultValue }) => {
    const to = values[key];
    if (recipientOf === null || to === undefined) return [];
    const [before, after] = [current.values[key] ?? '', to ?? defaultValue ?? ''].map((value) =>
      recipientOf.recipient(String(value)),
    );
    if (isSameRecipient(before ?? null, after ?? null)) return [];
    return recipientOf.secrets.filter((secret) => !replaced.has(secret) && current.secrets[secret] !== undefined);
  });

/** Credentials in the patch without any possible recipient, each with the reason. */
const unaddressed = (
  current: Configuration,
  values: Changes['values'],
  brought: ReadonlySet<string>,
): readonly [string, string][] =>
  plainSettings.flatMap(({ key, recipientOf, defaultValue }) => {
    const why = recipientOf?.unnamed ?? null;
    if (recipientOf === null || why === null) return [];
    const to = values[key];
    const named = to === undefined ? current.values[key] : (to ?? defaultValue);
    if (recipientOf.recipient(String(named ?? '')) !== null) return [];
    return recipientOf.secrets.filter((secret) => brought.has(secret)).map((secret): [string, string] => [secret, why]);
  });

const valueIn = (step: Step): Result<SettingValue | null, 'invalid'> =>
  step.kind === 'refuse' ? refuse('invalid', step.why) : ok(step.kind === 'keep' ? null : step.to);

/** The result of saving one posted value: the value as stored, null for the default, or why it is refused. */
export const judgePosted = (name: string, raw: unknown): Result<SettingValue | null, 'invalid'> =>
  valueIn(judge(name, raw, false));

/** The same for the value of a known setting. */
export const judgeValue = (row: SettingDescriptor, raw: unknown): Result<SettingValue | null, 'invalid'> =>
  valueIn(judgeSetting(row, raw));

const inForce = (current: Configuration['values'], values: Changes['values']): Configuration['values'] => ({
  ...current,
  ...Object.fromEntries(Object.entries(values).map(([key, to]) => [key, to ?? defaultConfiguration.values[key] ?? ''])),
});

/**
 * The result of saving one posted value together with other unsaved ones (`beside`), while `current` is in force. Of
 * those others only the settings that are judged together with it count, and only if they are valid by themselves.
 */
export function judgeBeside(
  current: Configuration['values'],
  [name, raw]: readonly [string, unknown],
  beside: Readonly<Record<string, unknown>>,
): Result<SettingValue | null, 'invalid'> {
  const judged = judgePosted(name, raw);
  if (!judged.ok) return judged;
  const others = judgedWith(name).flatMap((key): readonly [string, SettingValue | null][] => {
    const other = Object.hasOwn(beside, key) ? judgePosted(key, beside[key]) : null;
    return other?.ok === true ? [[key, other.value]] : [];
  });
  const values = inForce(current, Object.fromEntries([...others, [name, judged.value]]));
  const why = refusedTogether(values, [name])[0]?.[1];
  return why === undefined ? judged : refuse('invalid', why);
}

const moved = (current: Configuration, expect: Readonly<Record<string, SettingValue>>): [string, string][] =>
  Object.entries(expect)
    .filter(([key, value]) => current.values[key] !== value)
    .map(([key]) => [key, `${descriptorOf(key)?.label ?? key} was changed meanwhile.`]);

/**
 * Judges a partial merge, all or nothing (`SettingsEvent`, `settings.merge`). A setting that names another recipient
 * clears the stored credentials for the old one, unless the same patch contains them. A write by the agent itself
 * (`own`) may set hidden credentials, and is refused if a value differs from the one it was decided on. What needs a
 * person is refused unless it is `approved`, and what breaks a rule with the values that would be in force.
 */
export function mergeSettings(
  current: Configuration,
  patch: Readonly<Record<string, unknown>>,
  own: OwnWrite | null = null,
  approved: Approved = everyWay,
): Merge {
  const refused: (readonly [string, string])[] = own === null ? [] : moved(current, own.expect);
  const applied: string[] = [];
  const values: Record<string, SettingValue | null> = {};
  const secrets: Record<string, string | null> = {};
  const expose: Record<string, boolean | null> = {};
  const replaced = new Set<string>();
  const posted: string[] = [];

  for (const [name, raw] of Object.entries(patch)) {
    const step = judge(name, raw, own !== null);
    if (step.kind === 'refuse') refused.push([name, step.why]);
    else if (step.kind === 'value') {
      posted.push(step.key);
      if (current.values[step.key] === (step.to ?? defaultConfiguration.values[step.key])) continue;
      values[step.key] = step.to;
      applied.push(name);
    } else if (step.kind === 'secret') {
      if (step.to !== null) replaced.add(step.key);
      if ((current.secrets[step.key] ?? null) === step.to) continue;
      secrets[step.key] = step.to === null ? null : String(step.to);
      applied.push(name);
    } else if (step.kind === 'expose') {
      if (current.expose[step.key] === (step.to ?? defaultConfiguration.expose[step.key])) continue;
      expose[step.key] = step.to === null ? null : step.to === true;
      applied.push(name);
    }
  }
  const alone = new Set(refused.map(([name]) => name));
  // A value that is refused by itself judges no other one.
  const together = posted.filter((key) => !judgedWith(key).some((other) => alone.has(other)));
  refused.push(
    ...unaddressed(current, values, replaced),
    ...unapproved(current.values, values, approved),
    ...refusedTogether(inForce(current.values, values), together),
  );
  // `fromEntries`, not assignment: a patch may contain `__proto__`.
  if (refused.length > 0) return { status: 'refused', reasons: Object.fromEntries(refused) };
  const orphaned = orphanedSecrets(current, values, replaced);
  for (const key of orphaned) {
    if (secrets[key] !== undefined) continue;
    secrets[key] = null;
    applied.push(key);
  }
  const brought = [...replaced];
  return applied.length === 0
    ? { status: 'no-op', brought }
    : { status: 'saved', applied, changes: { values, secrets, expose }, brought, orphaned };
}
