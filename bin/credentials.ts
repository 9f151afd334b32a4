import { ok, refuse, type Result } from '#machines/kit/result.ts';
import type { ProvisionOutcome } from '#machines/settings/events.ts';
import { HOLD_MS, SAVE_MS } from '#machines/settings/hold.ts';
import type { Registry } from '#actors/kit/registry.ts';
import { until } from '#actors/kit/until.ts';
import type { Given } from '#drivers/install/given-file.ts';
import type { Logger } from '#drivers/log/logger.ts';
import { quoted, readCredentialFile } from './credential-file.ts';
import type { Provision } from './provision-options.ts';

/** Credentials by the setting that they are for. */
export type Credentials = Readonly<Record<string, string>>;

/** A user of Home Assistant and their password; it is sent to that Home Assistant only. */
export type HomeAssistantLogin = NonNullable<Given['login']>;

/** What the command line hands over in files. */
export interface HandedOver {
  /** The credentials to be saved as settings. */
  readonly credentials: Credentials;
  /** The user who signs in to Home Assistant: only the first call gets the password, which is then no longer held. */
  readonly takeLogin: () => HomeAssistantLogin | null;
  /** Options whose files others can read. */
  readonly open: readonly string[];
}

function readLogin({
  url,
  user,
  passFile,
}: NonNullable<Provision['haLogin']>): Result<HomeAssistantLogin, 'unreadable'> {
  const read = readCredentialFile('--ha-pass-file', passFile, null);
  if (!read.ok) return read;
  const { text, isOpen } = read.value;
  return isOpen
    ? refuse(
        'unreadable',
        `Users other than its owner can read the file of --ha-pass-file. Run: chmod 600 ${quoted(passFile)}`,
      )
    : ok({ homeAssistant: url, username: user, password: text });
}

/** Hands out a login once, and then no longer holds it. */
export function takenOnce(login: HomeAssistantLogin | null): HandedOver['takeLogin'] {
  let held = login;
  return () => {
    const taken = held;
    held = null;
    return taken;
  };
}

/** The credentials that the command line hands over in files. */
export function readCredentials(options: Omit<Provision, 'settings'>): Result<HandedOver, 'unreadable'> {
  const files = [
    ['mqtt_password', '--mqtt-pass-file', options.mqttPassFile],
    ['ha_token', '--ha-token-file', options.haTokenFile],
  ] as const;
  const credentials: Record<string, string> = {};
  const open: string[] = [];
  for (const [setting, option, file] of files) {
    if (file === null) continue;
    const read = readCredentialFile(option, file, setting);
    if (!read.ok) return read;
    credentials[setting] = read.value.text;
    if (read.value.isOpen) open.push(option);
  }
  const login = options.haLogin === null ? ok(null) : readLogin(options.haLogin);
  return login.ok ? ok({ credentials, takeLogin: takenOnce(login.value), open }) : login;
}

/** Saves the values; waits for the end of an operation that holds the settings. Null if there was no answer. */
async function provision(
  registry: Pick<Registry, 'ask' | 'follow'>,
  values: Credentials,
  signal: AbortSignal,
): Promise<ProvisionOutcome | null> {
  const save = async (): Promise<ProvisionOutcome | null> => {
    const asked = await registry.ask('settings', { type: 'settings.provision', values }, SAVE_MS);
    return asked.ok ? asked.value : null;
  };
  const first = await save();
  if (first?.status !== 'busy') return first;
  await until(registry, 'maintenance', ({ context }) => context.running === null, HOLD_MS, { signal });
  return signal.aborted ? null : save();
}

/**
 * Applies the values of the command line to the settings, once, as soon as these are loaded; not at all if `signal`
 * aborts the wait. True if all of them are in the settings now, or gave way to what was set on the panel.
 */
export async function handOver(
  registry: Pick<Registry, 'ask' | 'follow'>,
  values: Credentials,
  log: Logger,
  signal: AbortSignal,
): Promise<boolean> {
  const given = Object.keys(values);
  if (given.length === 0) return true;
  const loaded = await until(registry, 'settings', ({ context }) => context.revision > 0, null, { signal });
  if (!loaded.ok) return false;
  const asked = await provision(registry, values, signal);
  if (asked?.status !== 'provisioned') {
    log.error('The settings given to this panel were not saved.', { settings: given });
    return false;
  }
  const { applied, kept, unaddressed } = asked;
  if (applied.length > 0) log.info('Applied the settings from the command line.', { settings: applied });
  if (kept.length > 0) log.warn('Kept what was set on the panel.', { settings: kept });
  if (unaddressed.length > 0)
    log.error('Ignored a token without the address of Home Assistant. Give --ha-url too.', {
      settings: unaddressed,
    });
  return unaddressed.length === 0;
}

/**
 * Hands the login to the sign-in as soon as it runs; the sign-in decides if it is needed. `panelOrigin` is the one
 * under which Home Assistant lists the panel; `onSignedIn` is called once anyone is signed in, by whatever means.
 */
export async function handOverLogin(
  registry: Pick<Registry, 'follow' | 'tell'>,
  takeLogin: HandedOver['takeLogin'],
  panelOrigin: () => string,
  signal: AbortSignal,
  onSignedIn: () => void = () => {},
): Promise<void> {
  const running = await until(registry, 'sign-in', () => true, null, { signal });
  const login = running.ok ? takeLogin() : null;
  if (login === null) return;
  registry.tell('sign-in', { type: 'sign-in.by-password', ...login, panelOrigin: panelOrigin() });
  void until(registry, 'sign-in', ({ context }) => context.phase === 'signed-in', null, { signal }).then((signedIn) =>
    signedIn.ok ? onSignedIn() : undefined,
  );
}
