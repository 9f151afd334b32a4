import type { z } from 'zod';

import { archiveEntries, type ArchiveEntryName, isArchiveEntry, MANIFEST, WAKE_WORDS } from '../kit/archive-entries.ts';
import { foreignValue } from '../kit/foreign-json.ts';
import { jsonExcess } from '../kit/json-excess.ts';
import type { EpochMs } from '../kit/units.ts';
import { SETTINGS_SCHEMA } from '../settings.ts';
import type { ArchivePart, ArchiveRefusal } from './events.ts';
import { BACKUP_KIND, BACKUP_SCHEMA, type BackupManifest, backupManifest, manifestHead } from './manifest.ts';
import {
  type CompanionPart,
  companionPart,
  entryBounds,
  type FilterPart,
  filterPart,
  type PanelPart,
  panelPart,
  type ProfilesPart,
  profilesPart,
} from './parts.ts';

/** A revision of a profile with its exact text. */
export interface ArchivedRevision {
  readonly id: string;
  /** SHA-256 of the text. */
  readonly revision: string;
  readonly yaml: string;
}

/** What a backup is made from, and what a restore is planned on; it has secrets. */
export interface PanelFacts {
  /** Every stored section, of one moment. */
  readonly sections: Readonly<Record<string, unknown>>;
  /** Sections and documents that could not be read. */
  readonly unreadable: readonly string[];
  /** The document of the entity filter; null if there is none. */
  readonly filter: unknown;
  readonly profiles: {
    /** The activation record; null if there is none. */
    readonly record: unknown;
    readonly revisions: readonly ArchivedRevision[];
  };
  /** The names in use, chosen or automatic. */
  readonly panelId: string;
  readonly friendlyName: string;
  /** One digest for each known fingerprint of this machine. */
  readonly origin: readonly string[];
  readonly version: string;
  readonly at: EpochMs;
}

/** A parsed archive; parts that it does not have are null. */
export interface Archive {
  readonly manifest: BackupManifest;
  readonly filter: FilterPart | null;
  readonly panel: PanelPart | null;
  readonly profiles: ProfilesPart | null;
  readonly companion: CompanionPart | null;
}

/** The part that an entry belongs to. */
const partOf: Readonly<Record<ArchiveEntryName, ArchivePart>> = {
  'manifest.json': 'config',
  'entity/filter.json': 'filter',
  'state/panel.json': 'panel',
  'profiles/catalog.json': 'profiles',
  'companion/sign-in.json': 'companion',
};

export interface WrittenEntry {
  readonly name: ArchiveEntryName;
  readonly text: string;
}

/** The entries of an archive, the manifest first; or the part that no restore would accept, since it is too large. */
export function sealed(
  manifest: Omit<BackupManifest, 'entries'>,
  parts: readonly WrittenEntry[],
): { readonly entries: readonly WrittenEntry[] } | { readonly tooLarge: ArchivePart } {
  const encoder = new TextEncoder();
  const bytesOf = ({ text }: WrittenEntry): number => encoder.encode(text).length;
  const entries = parts.map((entry) => ({ name: entry.name as string, bytes: bytesOf(entry) }));
  const all = [{ name: MANIFEST, text: JSON.stringify({ ...manifest, entries }) } as const, ...parts];
  const large = all.find(
    (entry) => bytesOf(entry) > archiveEntries[entry.name] || jsonExcess(entry.text, entryBounds[entry.name]) !== null,
  );
  return large === undefined ? { entries: all } : { tooLarge: partOf[large.name] };
}

interface Refused {
  readonly refused: ArchiveRefusal;
  readonly message: string;
}

const bad = (message: string): Refused => ({ refused: 'bad-archive', message: `The backup is refused: ${message}.` });

/** The JSON of an entry; undefined if it is none, or exceeds its bounds. */
function jsonOf(name: ArchiveEntryName, content: Uint8Array): unknown {
  try {
    return foreignValue(new TextDecoder('utf-8', { fatal: true }).decode(content), entryBounds[name]);
  } catch {
    // It is not UTF-8.
    return undefined;
  }
}

const newer = (): Refused => ({
  refused: 'newer-version',
  message: 'The backup is from a newer version of Sconce. Update this panel, then restore it.',
});

function readManifest(content: Uint8Array): BackupManifest | Refused {
  const json = jsonOf(MANIFEST, content);
  if (json === undefined) return bad(`its ${MANIFEST} cannot be read`);
  const head = manifestHead().safeParse(json).data;
  if (head?.kind !== BACKUP_KIND)
    return { refused: 'another-product', message: 'This is not a backup of Sconce, but of another product.' };
  if (typeof head.schema === 'number' && head.schema > BACKUP_SCHEMA) return newer();
  const { data } = backupManifest().safeParse(json);
  if (data === undefined) return bad(`its ${MANIFEST} is not valid`);
  return data.config.schema > SETTINGS_SCHEMA ? newer() : data;
}

/** Why the entries are not those that the manifest names; null if they are. */
function judgeEntries(entries: ReadonlyMap<string, Uint8Array>, manifest: BackupManifest): Refused | null {
  const declared = new Map(manifest.entries.map(({ name, bytes }) => [name, bytes]));
  if (declared.size !== manifest.entries.length || declared.has(MANIFEST))
    return bad(`its ${MANIFEST} names an entry twice`);
  for (const [name, content] of entries) {
    if (name === MANIFEST) continue;
    const bytes = declared.get(name);
    if (bytes === undefined) return bad(`it has an entry that its ${MANIFEST} does not name`);
    if (name !== WAKE_WORDS && !isArchiveEntry(name)) return bad('it has an entry that no backup has');
    if (isArchiveEntry(name) && bytes !== content.length) return bad(`${name} is not as long as it should be`);
  }
  return declared.size === entries.size - 1 ? null : bad(`it lacks an entry that its ${MANIFEST} names`);
}

/** The entries beside the manifest, each by its schema; or the name of the one that is not valid. */
function readParts(entries: ReadonlyMap<string, Uint8Array>): Omit<Archive, 'manifest'> | ArchiveEntryName {
  let invalid: ArchiveEntryName | null = null;
  const read = <T>(name: ArchiveEntryName, schema: () => z.ZodType<T>): T | null => {
    const content = entries.get(name);
    if (content === undefined || invalid !== null) return null;
    const { data } = schema().safeParse(jsonOf(name, content));
    if (data === undefined) invalid = name;
    return data ?? null;
  };
  const parts = {
    filter: read('entity/filter.json', filterPart),
    panel: read('state/panel.json', panelPart),
    profiles: read('profiles/catalog.json', profilesPart),
    companion: read('companion/sign-in.json', companionPart),
  };
  return invalid ?? parts;
}

/**
 * Reads the entries of a container. Each text is judged for depth and size before it is parsed; the entries are exactly
 * those that the manifest names, and as long as it says.
 */
export function readArchive(entries: ReadonlyMap<string, Uint8Array>): { readonly archive: Archive } | Refused {
  const content = entries.get(MANIFEST);
  if (content === undefined) return bad(`it has no ${MANIFEST}`);
  const manifest = readManifest(content);
  if ('refused' in manifest) return manifest;
  const fault = judgeEntries(entries, manifest);
  if (fault !== null) return fault;
  const parts = readParts(entries);
  return typeof parts === 'string' ? bad(`${parts} is not valid`) : { archive: { manifest, ...parts } };
}
