import { readFileSync } from 'node:fs';
import { ok, refuse, type Result } from '#machines/kit/result.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { Registry } from '#actors/kit/registry.ts';
import { until } from '#actors/kit/until.ts';
import type { Logger } from '#drivers/log/logger.ts';
import type { RunOptions } from './arguments.ts';

/** Credentials by the setting that they are the value of. */
export type Credentials = Readonly<Record<string, string>>;

/** Longest credential file in characters (as panel-assistant). */
const maxCredentialLength = 16_384;
/** How long saving them may take. */
const saveMs: Milliseconds = 10_000;

const readCredential = (option: string, file: string): Result<string, 'unreadable'> => {
  try {
    const text = readFileSync(file, 'utf8');
    if (text.length > maxCredentialLength)
      return refuse('unreadable', `The file of ${option} is too long for a credential.`);
    return ok(text.replace(/\r?\n$/, ''));
  } catch {
    return refuse('unreadable', `The file of ${option} cannot be read. Check its path and permissions.`);
  }
};

/** The credentials that the command line hands over in files. */
export const readCredentials = (options: RunOptions): Result<Credentials, 'unreadable'> => {
  const files = [
    ['mqtt_password', '--mqtt-pass-file', options.mqttPassFile],
    ['ha_token', '--ha-token-file', options.haTokenFile],
  ] as const;
  const credentials: Record<string, string> = {};
  for (const [setting, option, file] of files) {
    if (file === null) continue;
    const read = readCredential(option, file);
    if (!read.ok) return read;
    credentials[setting] = read.value;
  }
  return ok(credentials);
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
    log.error('the credentials handed over in files were not saved', { settings });
};
