import { type Assignments, readAssignments } from '#machines/kit/recipient.ts';
import { type Consents, consentsAfter, readConsents, withoutLeftovers } from '#machines/settings/consents.ts';
import type { Changes } from '#machines/settings/merge.ts';
import { readStored, type ReadSettings, type StoredSettings, withChanges } from '#machines/settings/stored.ts';

import { type Asking, readSections } from '../kit/stored-section.ts';

/** The stored sections, and what they mean on the machine `installId`; null while it does not know itself. */
export interface Before {
  readonly stored: StoredSettings;
  readonly consents: Consents;
  readonly installId: string | null;
  readonly read: ReadSettings;
  readonly assignments: Assignments;
}

export const unchanged: Changes = { values: {}, secrets: {}, expose: {} };

const fieldsOf = (section: unknown): Readonly<Record<string, unknown>> =>
  typeof section === 'object' && section !== null && !Array.isArray(section)
    ? Object.fromEntries(Object.entries(section))
    : {};

const meaningOf = ({ stored, consents, installId }: Pick<Before, 'stored' | 'consents' | 'installId'>): Before => ({
  stored,
  consents,
  installId,
  read: readStored({ ...stored, consents }, installId),
  assignments: readAssignments(stored.secrets),
});

/** The sections as stored; null if the store does not answer. */
export async function readBefore(registry: Asking, installId: string | null): Promise<Before | null> {
  const sections = await readSections(registry, ['settings', 'secrets', 'consents']);
  if (sections === undefined) return null;
  const { settings, secrets, consents } = sections;
  const stored = { settings: fieldsOf(settings), secrets: fieldsOf(secrets) };
  return meaningOf({ stored, consents: readConsents(consents), installId });
}

/** The sections after these changes, and what they mean then. */
export function afterChanges(
  before: Before,
  changes: Changes,
  {
    revision = before.read.revision + 1,
    assignments = before.assignments,
    finish = (settings) => settings,
  }: {
    readonly revision?: number;
    readonly assignments?: Assignments;
    /** The last change of the section `settings`. */
    readonly finish?: (settings: StoredSettings['settings']) => StoredSettings['settings'];
  } = {},
): Before {
  const { stored, consents, installId } = before;
  const whole = withoutLeftovers(changes, stored.settings, consents, installId);
  const { settings, secrets } = withChanges(stored, whole, revision, assignments);
  return meaningOf({
    stored: { settings: finish(settings), secrets },
    consents: consentsAfter(consents, whole, installId),
    installId,
  });
}

/** The sections without the consents to what was turned off; the same object if there is none of them. */
export function withoutConsents(before: Before, off: ReadonlyMap<string, number>): Before {
  const keys = [...off.keys()].filter((key) => before.consents[key] !== undefined);
  if (keys.length === 0) return before;
  return afterChanges(before, { ...unchanged, values: Object.fromEntries(keys.map((key) => [key, null])) });
}
