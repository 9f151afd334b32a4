import { readPersisted } from '#machines/entity-filter/document.ts';
import type { Learned, PersistedState } from '#machines/entity-filter/persisted.ts';
import { type PanelFacts, sealed, type WrittenEntry } from '#machines/backup/archive.ts';
import type { ArchivePart } from '#machines/backup/events.ts';
import { BACKUP_KIND, BACKUP_SCHEMA, type BackupManifest } from '#machines/backup/manifest.ts';
import type { CompanionPart, FilterPart, PanelPart, ProfilesPart } from '#machines/backup/parts.ts';
import { exportedValues } from '#machines/config-copies/values.ts';
import { type Assignments, readAssignments } from '#machines/kit/recipient.ts';
import { activationRecord } from '#machines/profile-catalog/activation.ts';
import { secretSettings } from '#machines/settings.ts';
import type { Configuration } from '#machines/settings/merge.ts';
import { SETTINGS_SCHEMA } from '#machines/settings/schema.ts';
import { readStored } from '#machines/settings/stored.ts';
import { panelSections } from '#machines/stored-sections.ts';

/** The document of the entity filter; null if there is none or it is not valid. */
export function filterIn(document: unknown): PersistedState | null {
  if (document === null) return null;
  try {
    return readPersisted(document);
  } catch {
    return null;
  }
}

const overridden = ({ members }: Learned, override: 'pinned' | 'forced_exclude'): string[] =>
  members.filter((one) => one.override === override).map(({ entityId }) => entityId);

/** What the owner decided, and the sets in force, without what was learned. */
export const filterPartOf = ({ policy, manual, accounts }: PersistedState): FilterPart => ({
  version: 1,
  policy,
  manual: { enabled: manual.enabled, ids: [...manual.ids] },
  accounts: accounts.map(({ server, user, start, dashboards }) => ({
    server,
    user,
    start,
    dashboards: dashboards.map((learned) => ({
      dashboard: learned.dashboard,
      pinned: overridden(learned, 'pinned'),
      excluded: overridden(learned, 'forced_exclude'),
      ignored: [...learned.ignored],
      active: learned.active === null ? null : [...learned.active],
    })),
  })),
});

function panelPartOf(sections: PanelFacts['sections']): PanelPart | null {
  const held = panelSections
    .filter((section) => Object.hasOwn(sections, section))
    .map((section) => [section, sections[section]] as const)
    .filter(([, value]) => value !== null && value !== undefined);
  return held.length === 0 ? null : { version: 1, sections: Object.fromEntries(held) };
}

/** The selection is in every archive: that the matching profile is used is a choice, too. */
const profilesPartOf = ({ record, revisions }: PanelFacts['profiles']): ProfilesPart => ({
  version: 1,
  selection: activationRecord().safeParse(record).data?.selection ?? { mode: 'auto' },
  revisions: revisions.map(({ id, revision, yaml }) => ({ id, revision, yaml })),
});

/** Null if the panel is not signed in. */
function companionPartOf(secrets: Configuration['secrets'], assignments: Assignments): CompanionPart | null {
  const held = secretSettings
    .filter(({ hidden }) => hidden)
    .flatMap(({ key }) => {
      const value = secrets[key];
      return value === undefined ? [] : [[key, { value, recipient: assignments.get(key)?.recipient ?? null }] as const];
    });
  return held.length === 0 ? null : { version: 1, secrets: Object.fromEntries(held) };
}

/** True if the settings could not be read: their defaults must not pass for what the owner chose. */
const isConfigLost = ({ sections, unreadable }: PanelFacts): boolean =>
  unreadable.length > 0 && !Object.hasOwn(sections, 'settings');

function configOf(facts: PanelFacts, secrets: boolean): BackupManifest['config'] {
  if (isConfigLost(facts)) return { schema: SETTINGS_SCHEMA, values: {} };
  const { configuration } = readStored({ settings: facts.sections['settings'], secrets: facts.sections['secrets'] });
  const values = exportedValues(configuration, { secrets });
  if (!secrets) return { schema: SETTINGS_SCHEMA, values };
  const assignments = readAssignments(facts.sections['secrets']);
  const recipients = secretSettings
    .filter(({ key }) => Object.hasOwn(values, key))
    .map(({ key }) => [key, assignments.get(key)?.recipient ?? null] as const);
  return { schema: SETTINGS_SCHEMA, values, recipients: Object.fromEntries(recipients) };
}

/** Name of the entity filter's document among what could not be read. */
const FILTER = 'entity-filter';

/** What the archive lacks because it could not be read. */
function missingIn({ unreadable, filter }: PanelFacts, held: PersistedState | null): string[] {
  const isFilterLost = filter !== null && held === null && !unreadable.includes(FILTER);
  return [...unreadable, ...(isFilterLost ? [FILTER] : [])].map((name) => name.slice(0, 64)).slice(0, 64);
}

/**
 * The entries of a backup, or the part that is too large for one. `secrets` and `companion` are only for an encrypted
 * archive: without `secrets` it has neither a credential nor a recipient nor the sign-in.
 */
export function archiveOf(
  facts: PanelFacts,
  { secrets, companion }: { readonly secrets: boolean; readonly companion: boolean },
): { readonly entries: readonly WrittenEntry[] } | { readonly tooLarge: ArchivePart } {
  const { settings, secrets: stored } = facts.sections;
  const filter = filterIn(facts.filter);
  const missing = missingIn(facts, filter);
  const signIn =
    secrets && companion
      ? companionPartOf(readStored({ settings, secrets: stored }).configuration.secrets, readAssignments(stored))
      : null;
  const parts = {
    'entity/filter.json': filter === null ? null : filterPartOf(filter),
    'state/panel.json': panelPartOf(facts.sections),
    'profiles/catalog.json': profilesPartOf(facts.profiles),
    'companion/sign-in.json': signIn,
  } as const;
  const entries = (Object.keys(parts) as (keyof typeof parts)[]).flatMap((name): WrittenEntry[] =>
    parts[name] === null ? [] : [{ name, text: JSON.stringify(parts[name]) }],
  );
  const manifest = {
    kind: BACKUP_KIND,
    schema: BACKUP_SCHEMA,
    made_at: facts.at,
    made_by: facts.panelId,
    version: facts.version.slice(0, 64),
    origin: facts.origin.slice(0, 33),
    config: configOf(facts, secrets),
    identity: { panel_id: facts.panelId, friendly_name: facts.friendlyName.slice(0, 255) },
    state_unavailable: missing.length > 0,
    unreadable: missing,
  } satisfies Omit<BackupManifest, 'entries'>;
  return sealed(manifest, entries);
}
