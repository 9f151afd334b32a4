import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { ok, refuse, type Result } from '#machines/kit/result.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { Registry } from '#actors/kit/registry.ts';
import { until } from '#actors/kit/until.ts';
import type { Logger } from '#drivers/log/logger.ts';
import type { RunOptions } from './arguments.ts';

/** Credentials by the setting that they are the value of. */
export type Credentials = Readonly<Record<string, string>>;

/** A user of Home Assistant with their password. */
export interface HomeAssistantLogin {
  /** Origin of the Home Assistant that the password is for; it goes to no other. */
  readonly homeAssistant: string;
  readonly username: string;
  readonly password: string;
}

/** What the command line hands over in files. */
export interface HandedOver {
  /** What is saved as settings. */
  readonly credentials: Credentials;
  /** Who signs in to Home Assistant: the first call alone gets the password, which is held no longer. */
  readonly takeLogin: () => HomeAssistantLogin | null;
  /** Options whose files others can read. */
  readonly open: readonly string[];
}

/** Longest credential file in bytes (as panel-assistant). */
const maxCredentialBytes = 16_384;
/** Permissions of the group and of others in the mode of a file. */
const othersMask = 0o077;
/** How long saving them may take. */
const saveMs: Milliseconds = 10_000;

interface CredentialFile {
  readonly text: string;
  /** Whether the group or others may do anything with it. */
  readonly isOpen: boolean;
}

/** The first bytes of a file, one more than a credential has at most: /dev/zero has no end. */
const readBounded = (fd: number): Buffer => {
  const bytes = Buffer.alloc(maxCredentialBytes + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes.length; length += read)
    read = readSync(fd, bytes, length, bytes.length - length, null);
  return bytes.subarray(0, length);
};

const readCredential = (option: string, file: string): Result<CredentialFile, 'unreadable'> => {
  let fd: number | undefined;
  try {
    fd = openSync(file, 'r');
    const isOpen = (fstatSync(fd).mode & othersMask) !== 0;
    const bytes = readBounded(fd);
    if (bytes.length > maxCredentialBytes)
      return refuse('unreadable', `The file of ${option} is too long for a credential.`);
    return ok({ text: bytes.toString('utf8').replace(/\r?\n$/, ''), isOpen });
  } catch {
    return refuse('unreadable', `The file of ${option} cannot be read. Check its path and permissions.`);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
};

/** A file's path as a shell takes it. */
const quoted = (path: string): string => (/^[\w./~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

const readLogin = ({
  url,
  user,
  passFile,
}: NonNullable<RunOptions['haLogin']>): Result<HomeAssistantLogin, 'unreadable'> => {
  const read = readCredential('--ha-pass-file', passFile);
  if (!read.ok) return read;
  const { text, isOpen } = read.value;
  if (isOpen)
    return refuse(
      'unreadable',
      `The file of --ha-pass-file can be read by others than its owner. Run: chmod 600 ${quoted(passFile)}`,
    );
  if (text === '') return refuse('unreadable', 'The file of --ha-pass-file is empty. Write the password into it.');
  return ok({ homeAssistant: url, username: user, password: text });
};

/** The credentials that the command line hands over in files. */
export const readCredentials = (
  options: Pick<RunOptions, 'mqttPassFile' | 'haTokenFile' | 'haLogin'>,
): Result<HandedOver, 'unreadable'> => {
  const files = [
    ['mqtt_password', '--mqtt-pass-file', options.mqttPassFile],
    ['ha_token', '--ha-token-file', options.haTokenFile],
  ] as const;
  const credentials: Record<string, string> = {};
  const open: string[] = [];
  for (const [setting, option, file] of files) {
    if (file === null) continue;
    const read = readCredential(option, file);
    if (!read.ok) return read;
    credentials[setting] = read.value.text;
    if (read.value.isOpen) open.push(option);
  }
  let login: HomeAssistantLogin | null = null;
  if (options.haLogin !== null) {
    const read = readLogin(options.haLogin);
    if (!read.ok) return read;
    login = read.value;
  }
  const takeLogin = (): HomeAssistantLogin | null => {
    const taken = login;
    login = null;
    return taken;
  };
  return ok({ credentials, takeLogin, open });
};

/**
 * Saves credentials from files as soon as the settings are loaded, once; not at all where `signal` ends the waiting.
 */
export const handOver = async (
  registry: Registry,
  credentials: Credentials,
  log: Logger,
  signal: AbortSignal,
): Promise<void> => {
  const settings = Object.keys(credentials);
  if (settings.length === 0) return;
  const loaded = await until(registry, 'settings', ({ context }) => context.revision > 0, null, { signal });
  if (!loaded.ok) return;
  const asked = await registry.ask('settings', { type: 'settings.merge', patch: credentials }, saveMs);
  if (!asked.ok || (asked.value.status !== 'saved' && asked.value.status !== 'no-op'))
    log.error('The credentials handed over in files were not saved.', { settings });
};

/**
 * Gives the sign-in who is to be signed in to Home Assistant, as soon as it runs; it decides whether that is needed.
 * The address of that Home Assistant is saved before where none is set. `panelOrigin` is the one under which it lists
 * the panel.
 */
export const handOverLogin = async (
  registry: Pick<Registry, 'ask' | 'follow' | 'read' | 'tell'>,
  takeLogin: HandedOver['takeLogin'],
  panelOrigin: () => string,
  signal: AbortSignal,
): Promise<void> => {
  const running = await until(registry, 'sign-in', () => true, null, { signal });
  const loaded = await until(registry, 'settings', ({ context }) => context.revision > 0, null, { signal });
  const login = running.ok && loaded.ok ? takeLogin() : null;
  if (login === null) return;
  // Where it cannot be saved, status says that the password waits for an address.
  if (registry.read('settings')?.context.values['ha_url'] === '')
    await registry.ask('settings', { type: 'settings.merge', patch: { ha_url: login.homeAssistant } }, saveMs);
  registry.tell('sign-in', { type: 'sign-in.by-password', ...login, panelOrigin: panelOrigin() });
};
