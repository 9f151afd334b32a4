import { consentKeys } from '#machines/settings/consents.ts';
import { type ReadSettings, publicFacts, readStored } from '#machines/settings/stored.ts';

import type { Registry } from '../kit/registry.ts';
import { readSections } from '../kit/stored-section.ts';
import { originsOf } from './origin.ts';

/** The configuration in force with its credentials, and the machine it is on: only for the duration of an answer. */
export interface InForce {
  readonly configuration: ReadSettings['configuration'];
  /** Eight hex digits, as the settings show them. */
  readonly digest: string;
  readonly origins: readonly string[];
}

/** Reads it, as of one moment; null if the store does not answer. */
export async function readInForce(registry: Pick<Registry, 'ask' | 'read'>): Promise<InForce | null> {
  const sections = await readSections(registry, ['settings', 'secrets', 'identity']);
  if (sections === undefined) return null;
  const { settings, secrets, identity } = sections;
  const stored = readStored({ settings, secrets });
  // Only the settings themselves know which consents hold on this machine.
  const shown = registry.read('settings')?.context.values ?? {};
  const agreed = Object.fromEntries(consentKeys.filter((key) => shown[key] === true).map((key) => [key, true]));
  const configuration = { ...stored.configuration, values: { ...stored.configuration.values, ...agreed } };
  return {
    configuration,
    digest: publicFacts({ ...stored, configuration }).digest,
    origins: originsOf(identity),
  };
}
