import { z } from 'zod';

import type { DurableFileOptions } from './adapter.ts';
import { isNewer, oneFormat } from './formats.ts';
import { type PersistedFile, persistedFile } from './persisted-file.ts';

const sectionDocument = z.looseObject({ version: z.literal(1), value: z.unknown() });

/** Content of a section's file; the value is null if it was never written, or was removed. */
export type SectionDocument = z.infer<typeof sectionDocument>;

/** Content of a section's file for a value. */
export const sectionOf = (value: unknown): SectionDocument => ({ version: 1, value: value ?? null });

/** The value in the JSON of such a file; throws if it is not one. */
export const readSectionJson = (json: unknown): unknown => sectionDocument.parse(json).value;

/** True if the JSON is that of such a file, also if a newer version wrote it. */
export const isSectionJson = (json: unknown): boolean =>
  isNewer(json, oneFormat) || sectionDocument.safeParse(json).success;

const EXTENSION = '.json';

/** Name of a section's file. */
export const sectionFileName = (section: string): string => `${section}${EXTENSION}`;

/** The section whose file has this name; null for any other file, such as a copy. */
export const sectionOfFile = (name: string): string | null =>
  name.endsWith(EXTENSION) && name !== EXTENSION ? name.slice(0, -EXTENSION.length) : null;

/** The file of a section, in the folder of the sections. */
export const sectionFile = (
  section: string,
  options: Pick<DurableFileOptions<SectionDocument>, 'folder' | 'onStep' | 'readText'>,
): PersistedFile<SectionDocument> =>
  persistedFile(
    { ...options, name: sectionFileName(section), parse: (json) => sectionDocument.parse(json) },
    sectionOf(null),
  );
