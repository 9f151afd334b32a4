import type { Archive, PanelFacts } from '#machines/backup/archive.ts';
import type { ArchiveOrigin, RestorePreview } from '#machines/backup/events.ts';
import type { PlannedChange, SkippedKey } from '#machines/config-copies/events.ts';
import { presentValues } from '#machines/config-copies/bundle.ts';
import { textOf } from '#machines/config-copies/text-of.ts';
import { planImport, withCredentials } from '#machines/config-copies/values.ts';
import { ownField } from '#machines/kit/own-field.ts';
import { isSameRecipient, type Recipient } from '#machines/kit/recipient.ts';
import { descriptorOf, plainSettings } from '#machines/settings.ts';
import { recipientNamed } from '#machines/settings/assign.ts';
import { type Changes, type Configuration, mergeSettings } from '#machines/settings/merge.ts';
import { readStored, withChanges } from '#machines/settings/stored.ts';

type Values = Readonly<Record<string, unknown>>;
type PlannedPart = RestorePreview['parts'][number];

/** What becomes of settings and credentials. */
export interface SettingsPlan {
  readonly changes: Changes;
  /** Credentials that go because the address that they were for has changed. */
  readonly orphaned: readonly string[];
  /** The recipient of each restored credential, as in the archive. */
  readonly recipients: Readonly<Record<string, Recipient | null>>;
  readonly preview: {
    readonly changes: readonly PlannedChange[];
    readonly skipped: readonly SkippedKey[];
    readonly config: PlannedPart;
    readonly companion: PlannedPart;
  };
}

interface Rejected {
  readonly rejected: Readonly<Record<string, string>>;
}

const PANEL_ID = 'panel_id';
const NAME = 'friendly_name';

/** Credentials, and the names that belong to them: without these no panel could take the place of another. */
const credentialKeys: readonly string[] = plainSettings.flatMap(({ recipientOf }) =>
  recipientOf === null
    ? []
    : [...recipientOf.secrets, ...(recipientOf.names ?? [])].filter((key) => descriptorOf(key)?.hidden !== true),
);

const fieldOf = (section: unknown, name: string): unknown =>
  typeof section === 'object' && section !== null
    ? ownField(Object.fromEntries(Object.entries(section)), name)
    : undefined;

/** What the identity of the archived panel adds to the configuration. */
function identityPatch({ manifest: { identity } }: Archive, values: Values, facts: PanelFacts, origin: ArchiveOrigin) {
  if (origin === 'another-machine' || identity.panel_id === '') return {};
  const chosen = ownField(values, PANEL_ID);
  const isAutomatic = chosen === undefined || chosen === '';
  // The machine may have got another automatic id since.
  const isKept = isAutomatic && fieldOf(facts.sections['identity'], 'autoPanelId') === identity.panel_id;
  if (origin === 'this-machine') return isAutomatic && !isKept ? { [PANEL_ID]: identity.panel_id } : {};
  return { [PANEL_ID]: identity.panel_id, ...(identity.friendly_name !== '' && { [NAME]: identity.friendly_name }) };
}

const identityKeys: readonly string[] = plainSettings.filter(({ scope }) => scope === 'IDENTITY').map(({ key }) => key);

/** What the archive adds for a panel that takes the place of the archived one. */
function takenOver(values: Values): Values {
  const held = [...credentialKeys, ...identityKeys].map((key) => [key, ownField(values, key)] as const);
  return Object.fromEntries(held.filter(([, value]) => value !== undefined && value !== ''));
}

interface Merged {
  readonly next: Configuration;
  readonly changes: Changes;
  readonly applied: readonly string[];
  readonly orphaned: readonly string[];
}

const unchanged: Changes = { values: {}, secrets: {}, expose: {} };

/** The configuration after a patch; `own` admits the sign-in. */
function merge(facts: PanelFacts, current: Configuration, patch: Values): Merged | Rejected {
  const merged = mergeSettings(current, patch, { expect: {} });
  if (merged.status === 'refused') return { rejected: merged.reasons };
  const { changes, applied, orphaned } =
    merged.status === 'saved' ? merged : { changes: unchanged, applied: [], orphaned: [] };
  const { settings, secrets } = facts.sections;
  return { next: readStored(withChanges({ settings, secrets }, changes, 1)).configuration, changes, applied, orphaned };
}

/** The sign-in as a patch, or why it is not taken. */
function planSignIn({ companion }: Archive, next: Configuration, origin: ArchiveOrigin): Values | string {
  if (companion === null) return '';
  if (origin === 'another-machine') return 'The sign-in is that of another panel: sign in on this one.';
  const hidden = Object.entries(companion.secrets).filter(([key]) => descriptorOf(key)?.hidden === true);
  const isForIt = hidden.every(([key, { recipient }]) => isSameRecipient(recipient, recipientNamed(next, key)));
  return isForIt
    ? Object.fromEntries(hidden.map(([key, { value }]) => [key, value]))
    : 'The sign-in is for another address of Home Assistant than the restored one.';
}

function companionPart(archive: Archive, signIn: Values | string, isChanged: boolean): PlannedPart {
  const part = { part: 'companion', items: -1, why: '' } as const;
  if (archive.companion === null) return { ...part, does: 'absent', why: 'The backup has no sign-in.' };
  if (typeof signIn === 'string') return { ...part, does: 'skipped', why: signIn };
  return { ...part, does: isChanged ? 'restored' : 'unchanged' };
}

function configPart(archive: Archive, changes: number): PlannedPart {
  const part = { part: 'config', items: changes, why: '' } as const;
  if (Object.keys(archive.manifest.config.values).length === 0)
    return { ...part, items: -1, does: 'absent', why: 'It could not be read when the backup was made.' };
  return { ...part, does: changes > 0 ? 'restored' : 'unchanged' };
}

/** The recipients of those credentials of the archive that are stored afterwards. */
function recipientsOf({ manifest: { config }, companion }: Archive, values: Values, next: Configuration) {
  // Also one that the archive names no recipient for: it must not get the one that the settings name.
  const posted = Object.keys(next.secrets)
    .filter((key) => next.secrets[key] === ownField(values, key))
    .map((key) => [key, ownField(config.recipients, key) ?? null] as const);
  const hidden = Object.entries(companion?.secrets ?? {})
    .filter(([key, { value }]) => next.secrets[key] === value)
    .map(([key, { recipient }]) => [key, recipient] as const);
  return Object.fromEntries([...posted, ...hidden]);
}

const isHidden = (key: string): boolean => descriptorOf(key)?.hidden === true;

/**
 * Decides what a restore does with settings and credentials. A credential keeps the recipient that it had in the
 * archive, so that it goes to no other. Any value that is not valid refuses all of them (as panel-assistant). With
 * `hidesStored` the preview does not tell which credentials are stored already.
 */
export function planSettings(
  archive: Archive,
  facts: PanelFacts,
  { origin, hidesStored }: { readonly origin: ArchiveOrigin; readonly hidesStored: boolean },
): SettingsPlan | Rejected {
  const { settings, secrets } = facts.sections;
  const { configuration: current } = readStored({ settings, secrets });
  const values = presentValues(archive.manifest.config.values, archive.manifest.config.schema);
  const planned = planImport(current, values, { mode: 'restore', isOrigin: origin === 'this-machine' });
  const invalid = planned.skipped.filter(({ reason }) => reason === 'invalid');
  if (invalid.length > 0) return { rejected: Object.fromEntries(invalid.map(({ key, message }) => [key, message])) };
  const added = {
    ...(origin === 'replaces' && takenOver(values)),
    ...identityPatch(archive, values, facts, origin),
  };
  const patch = { ...planned.patch, ...added };
  const first = merge(facts, current, patch);
  if ('rejected' in first) return first;
  const signIn = planSignIn(archive, first.next, origin);
  const merged = typeof signIn === 'string' ? first : merge(facts, current, { ...patch, ...signIn });
  if ('rejected' in merged) return merged;
  const { next, applied } = merged;
  const applies = applied
    .filter((key) => !isHidden(key) || typeof signIn === 'string')
    .map((key) => ({ key, from: textOf(current, key), to: textOf(next, key) }));
  const named = [...planned.credentials, ...Object.keys(added).filter((key) => descriptorOf(key)?.secret === true)];
  const changes = hidesStored ? withCredentials(applies, named) : applies;
  const isSignInChanged = typeof signIn !== 'string' && Object.keys(signIn).some((key) => applied.includes(key));
  return {
    changes: merged.changes,
    orphaned: merged.orphaned,
    recipients: origin === 'another-machine' ? {} : recipientsOf(archive, values, next),
    preview: {
      changes,
      skipped: planned.skipped.filter(({ key }) => !Object.hasOwn(added, key)),
      config: configPart(archive, changes.length),
      companion: companionPart(archive, signIn, isSignInChanged),
    },
  };
}
