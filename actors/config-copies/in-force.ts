import { type ReadSettings, publicFacts, readStored } from '#machines/settings/stored.ts';

import { type Asking, readSections } from '../kit/stored-section.ts';
import { originsOf } from './origin.ts';

/** The configuration in force with its credentials, and the machine it is on: only for the duration of an answer. */
export interface InForce {
  readonly configuration: ReadSettings['configuration'];
  /** Eight hex digits, as the settings show them. */
  readonly digest: string;
  readonly origins: readonly string[];
}

/** Reads it, as of one moment; null if the store does not answer. */
export async function readInForce(registry: Asking): Promise<InForce | null> {
  const sections = await readSections(registry, ['settings', 'secrets', 'identity']);
  if (sections === undefined) return null;
  const { settings, secrets, identity } = sections;
  const read = readStored({ settings, secrets });
  return {
    configuration: read.configuration,
    digest: publicFacts(read).digest,
    origins: originsOf(identity),
  };
}
