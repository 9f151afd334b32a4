import { ok, refuse, type Result } from '#machines/kit/result.ts';
import { descriptorOf } from '#machines/settings.ts';
import { checkValue } from '#machines/settings/check-value.ts';
import { didYouMean, shownWord } from './read-options.ts';
import { bundledProfiles } from '#profiles/bundled.ts';
import { autoName, shortNames } from '#profiles/choose.ts';

/** Options whose value is a setting, each with the key of that setting. */
const settingOptions = {
  name: 'friendly_name',
  'panel-id': 'panel_id',
  'mqtt-broker': 'mqtt_broker',
  'mqtt-user': 'mqtt_user',
  'ha-url': 'ha_url',
  'home-dashboard': 'home_dashboard',
} as const;

type SettingOption = keyof typeof settingOptions;

const text = { type: 'string' } as const;

/** The options of both `sconce run` and `sconce install` that set a panel up, in the form of `parseArgs`. */
export const provisionOptions = {
  name: text,
  'panel-id': text,
  'mqtt-broker': text,
  'mqtt-user': text,
  'mqtt-pass-file': text,
  'ha-url': text,
  'ha-token-file': text,
  'ha-user': text,
  'ha-pass-file': text,
  'home-dashboard': text,
} as const;

/** The values of these options as typed. */
export type ProvisionValues = { readonly [K in keyof typeof provisionOptions]?: string | undefined };

/** What a command line gives a panel. */
export interface Provision {
  /** Plain settings by key, as they are stored. */
  readonly settings: Readonly<Record<string, string>>;
  /** File that holds the broker's password; null for none. */
  readonly mqttPassFile: string | null;
  /** File that holds a long-lived access token of Home Assistant; null for none. */
  readonly haTokenFile: string | null;
  /** The Home Assistant to sign in to (its origin), the user, and the file that holds their password; null for none. */
  readonly haLogin: { readonly url: string; readonly user: string; readonly passFile: string } | null;
}

/** Longest name of a user in characters. */
const maxUserLength = 256;

/** The value as it is meant: an address of Home Assistant without scheme and port has the usual ones. */
function meant(option: SettingOption, raw: string): string {
  const host = /^\s*(\[[^\]]+\]|[^\s:/?#@[\]]+)\/?\s*$/.exec(raw)?.[1];
  return option === 'ha-url' && host !== undefined ? `http://${host}:8123` : raw;
}

/** True if a panel id only loses its spelling, not its letters: `Hall-1` is `hall_1`. */
const isPlain = (typed: string): boolean => /^\p{ASCII}*$/u.test(typed);

function settingsOf(values: ProvisionValues): Result<Provision['settings'], 'usage'> {
  const settings: Record<string, string> = {};
  for (const option of Object.keys(settingOptions) as SettingOption[]) {
    const raw = values[option];
    const row = descriptorOf(settingOptions[option]);
    if (raw === undefined || row === undefined) continue;
    if (raw.trim() === '') return refuse('usage', `--${option} must not be empty. Leave it out to give none.`);
    const checked = checkValue(row, meant(option, raw));
    if (!checked.ok) return refuse('usage', `--${option} is refused: ${checked.message}`);
    if (option === 'panel-id' && !isPlain(raw))
      return refuse(
        'usage',
        `--panel-id is refused: it is made of the letters a to z, digits and _. Did you mean --panel-id ${checked.value}?`,
      );
    settings[row.key] = String(checked.value);
  }
  return ok(settings);
}

/** The three belong together: a password is for one user of one Home Assistant, whatever address is set later. */
function loginOf(values: ProvisionValues, url: string | undefined): Result<Provision['haLogin'], 'usage'> {
  const { 'ha-user': user, 'ha-pass-file': passFile } = values;
  if (user === undefined && passFile === undefined) return ok(null);
  if (passFile === undefined)
    return refuse('usage', '--ha-user needs --ha-pass-file FILE: the file that holds the password.');
  if (user === undefined) return refuse('usage', '--ha-pass-file needs --ha-user NAME: whose password it is.');
  if (url === undefined)
    return refuse('usage', '--ha-pass-file needs --ha-url ADDRESS: the Home Assistant that the password is for.');
  if (user === '' || user.length > maxUserLength)
    return refuse('usage', `--ha-user must be a name of 1 to ${maxUserLength} characters.`);
  return ok({ url, user, passFile });
}

/** What the options give a panel; a refusal's message names the option, what is wrong and what to do. */
export function provisionOf(values: ProvisionValues): Result<Provision, 'usage'> {
  const settings = settingsOf(values);
  if (!settings.ok) return settings;
  const haLogin = loginOf(values, settings.value['ha_url']);
  if (!haLogin.ok) return haLogin;
  if (haLogin.value !== null && values['ha-token-file'] !== undefined)
    return refuse(
      'usage',
      '--ha-token-file and --ha-pass-file are two ways to sign in to Home Assistant. Leave one of them out.',
    );
  for (const option of ['mqtt-pass-file', 'ha-token-file', 'ha-pass-file'] as const)
    if (values[option] === '') return refuse('usage', `--${option} must name a file.`);
  return ok({
    settings: settings.value,
    mqttPassFile: values['mqtt-pass-file'] ?? null,
    haTokenFile: values['ha-token-file'] ?? null,
    haLogin: haLogin.value,
  });
}

/** The values of `--profile`. */
const profileNames = (): readonly string[] => [
  autoName,
  ...Object.keys(shortNames),
  ...bundledProfiles().map(({ document }) => document.id),
];

function noProfile(option: string, name: string): Result<never, 'usage'> {
  const names = profileNames();
  const near = didYouMean(name, names);
  return refuse(
    'usage',
    near === ''
      ? `${option} must be one of: ${names.join(', ')}.`
      : `${option} knows no profile "${shownWord(name)}".${near}`,
  );
}

/** The profile that an option names; null if it was not given. */
export const profileOf = (option: string, name: string | undefined): Result<string | null, 'usage'> =>
  name === undefined || profileNames().includes(name) ? ok(name ?? null) : noProfile(option, name);

/** The options that were given, by name, without their values. */
export const givenNames = (values: ProvisionValues): readonly string[] =>
  Object.entries(values).flatMap(([name, value]) =>
    value !== undefined && Object.hasOwn(provisionOptions, name) ? [`--${name}`] : [],
  );
