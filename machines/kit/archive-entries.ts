/** Most bytes of an uploaded archive, encrypted or not (as panel-assistant). */
export const MOST_ARCHIVE_BYTES = 67_108_864;

/** Most entries of an archive, its manifest among them (as panel-assistant). */
export const MOST_ENTRIES = 9;

/** Name of the first entry, which names all others. */
export const MANIFEST = 'manifest.json';

/** Name that is reserved for wake words; an entry of that name is accepted and not read. */
export const WAKE_WORDS = 'voice/wake-words.json';

/** The entries that are read, each with its most bytes once inflated (limits as panel-assistant). */
export const archiveEntries = {
  [MANIFEST]: 1_048_576,
  'entity/filter.json': 13_000_000,
  'state/panel.json': 4_194_304,
  'profiles/catalog.json': 9_437_184,
  'companion/sign-in.json': 65_536,
} as const satisfies Readonly<Record<string, number>>;

export type ArchiveEntryName = keyof typeof archiveEntries;

/** True if an entry of this name is read. */
export const isArchiveEntry = (name: string): name is ArchiveEntryName => Object.hasOwn(archiveEntries, name);
