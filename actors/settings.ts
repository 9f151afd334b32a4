import { type Assignment, readAssignments, unassigned } from '#machines/kit/recipient.ts';
import { settings as manifest } from '#machines/settings/index.ts';
import { readStored } from '#machines/settings/stored.ts';
import { part, type Part } from './kit/part.ts';
import { type Asking, readSection, StoreSilent } from './kit/stored-section.ts';
import { settingsWriter, type WriterDeps } from './settings/writer.ts';

/** A stored credential and its recipient, read together. */
export interface Credential {
  readonly value: string;
  readonly assignment: Assignment;
}

/** A stored credential, null if it is not set; rejects if the store does not answer, which is not the same. */
export async function readCredential(registry: Asking, key: string): Promise<Credential | null> {
  const secrets = await readSection(registry, 'secrets');
  if (secrets === undefined) throw new StoreSilent();
  const value = readStored({ settings: null, secrets }).configuration.secrets[key];
  return value === undefined ? null : { value, assignment: readAssignments(secrets).get(key) ?? unassigned };
}

/** The value of a stored credential, as `readCredential`. */
export const readSecret = async (registry: Asking, key: string): Promise<string | null> =>
  (await readCredential(registry, key))?.value ?? null;

/** The one writer of the configuration. It starts after the store. */
export const settingsSpec = (deps: WriterDeps): Part =>
  part(manifest, settingsWriter(deps), {
    stop: { event: { type: 'settings.stop' }, withinMs: 300 },
  });
