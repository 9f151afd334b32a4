import { readdirSync, readFileSync } from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

import { errorCode } from '#drivers/kit/error-code.ts';
import { syncFolder } from '#drivers/kit/replace-file.ts';
import { catalogFolder } from '#drivers/profiles/places.ts';
import { DurableFile, type LoadReport, PREVIOUS } from '#drivers/store/adapter.ts';
import { droppedSecrets, forgetInKept } from '#drivers/store/credentials.ts';
import { documentFormats, readDocument } from '#drivers/store/document.ts';
import {
  DOCUMENT,
  FILTER_DOCUMENT,
  GIVEN,
  LIGHT_FOLDER,
  MICROPHONE_ORDER,
  RESTORE,
  REVISIONS,
  SECTIONS,
} from '#drivers/store/folder.ts';
import { formatFile, isNewer, keptFormats, oneFormat } from '#drivers/store/formats.ts';
import { readSectionJson, sectionFileName, sectionOfFile } from '#drivers/store/section-file.ts';

type Sections = Readonly<Record<string, unknown>>;

/** The data folder after a reset. */
export interface FolderAfter {
  readonly sections: Sections;
  /** True to remove the saved profiles and the selection. */
  readonly profiles: boolean;
  /** True to remove what was learned of the room's light. */
  readonly light: boolean;
  /** True to remove the documents of other formats that are kept, and what a restore has staged. */
  readonly copies: boolean;
  /** What to do with the entity filter's document; a function rewrites its JSON, and throws if that is invalid. */
  readonly filter: 'keep' | 'remove' | ((json: unknown) => unknown);
}

/** The file's name without the suffix of a copy. */
const currentName = (name: string): string => (name.endsWith(PREVIOUS) ? name.slice(0, -PREVIOUS.length) : name);

/** Folders of the browsers' profiles: sessions, cookies and storage of Home Assistant's pages. */
const BROWSERS = ['browser', 'foreign-browser'] as const;

/** Sections with separate files; an unreadable one is left out. */
function fileSectionsAtStart(folder: string): Sections {
  const own = join(folder, SECTIONS);
  const read = (section: string): readonly (readonly [string, unknown])[] => {
    const current = sectionFileName(section);
    for (const name of [current, `${current}${PREVIOUS}`])
      try {
        const json: unknown = JSON.parse(readFileSync(join(own, name), 'utf8'));
        // It stays for the version that wrote it.
        if (isNewer(json, oneFormat)) return [];
        return [[section, readSectionJson(json)]];
      } catch {
        // Next, the copy from before the last change is tried, as in the store.
      }
    return [];
  };
  try {
    const sections = readdirSync(own).map((name) => sectionOfFile(currentName(name)) ?? []);
    return Object.fromEntries([...new Set(sections.flat())].flatMap(read));
  } catch {
    return {};
  }
}

/**
 * The sections of the files and of the document together. The document wins until a section is moved to its file,
 * except for the document's previous copy, which may be older than the move.
 */
export function joinedSections(folder: string, inDocument: Sections, from: LoadReport['from']): Sections {
  const inFiles = fileSectionsAtStart(folder);
  return from === 'previous' ? { ...inDocument, ...inFiles } : { ...inFiles, ...inDocument };
}

/** All stored sections, read without any change; null if the document is not valid. */
export function sectionsAtStart(folder: string): Sections | null {
  try {
    const { sections } = readDocument(JSON.parse(readFileSync(join(folder, DOCUMENT), 'utf8')));
    return joinedSections(folder, sections, 'current');
  } catch {
    // The store will find and report the reason.
    return null;
  }
}

/** Removes the files of sections, except those of a newer version: nothing of them is in the document. */
async function removeSections(folder: string, all: boolean): Promise<void> {
  const own = join(folder, SECTIONS);
  const isKept = (name: string): boolean => {
    try {
      return !all && (/\.v\d+$/.test(name) || isNewer(JSON.parse(readFileSync(join(own, name), 'utf8')), oneFormat));
    } catch {
      return false;
    }
  };
  const names = await readdir(own).catch(() => []);
  await Promise.all(
    names.filter((name) => !isKept(name)).map((name) => rm(join(own, name), { recursive: true, force: true })),
  );
  // Succeeds only if it is empty now.
  await rmdir(own).catch(() => {});
}

/** Removes a document with all its copies. */
async function removeDocument(folder: string, name: string): Promise<void> {
  const files = (await readdir(folder)).filter((file) => file === name || file.startsWith(`${name}.`));
  await Promise.all(files.map((file) => rm(join(folder, file), { force: true })));
}

async function removeCopies(folder: string): Promise<void> {
  const document = join(folder, DOCUMENT);
  const kept = (await keptFormats(document)).map((format) => formatFile(document, format));
  await Promise.all([...kept, join(folder, RESTORE)].map((path) => rm(path, { recursive: true, force: true })));
}

async function changeFilter(folder: string, filter: FolderAfter['filter']): Promise<void> {
  if (filter === 'keep') return;
  if (filter === 'remove') return removeDocument(folder, FILTER_DOCUMENT);
  const file = new DurableFile<unknown>({ folder, name: FILTER_DOCUMENT, parse: filter });
  const after = await file.read();
  // An invalid document has nothing to keep.
  if (after === null) return removeDocument(folder, FILTER_DOCUMENT);
  // Twice: the copy from before the first write still has what must go.
  await file.write(after);
  await file.write(after);
}

/**
 * Changes the data folder while nothing else runs yet. The document comes last: after an interruption the order is
 * still in it, and a repetition has the same result. Null on success, else the error code.
 */
export async function resetFolder(folder: string, after: FolderAfter): Promise<string | null> {
  try {
    const file = new DurableFile({ folder, formats: documentFormats, parse: readDocument });
    const before = await file.read();
    if (before === null) return 'unreadable';
    // A disk that refuses shows here, before anything is removed. Sections with separate files go back into the
    // document, from which the store moves them again, so that all sections change in one step.
    await file.write({ ...before, sections: joinedSections(folder, before.sections, file.report.from) });
    await removeSections(folder, after.copies);
    await changeFilter(folder, after.filter);
    await Promise.all(BROWSERS.map((name) => rm(join(folder, name), { recursive: true, force: true })));
    // It may have a password for a Home Assistant whose address is still missing: no reset leaves one behind.
    await rm(join(folder, GIVEN), { force: true });
    // A consent that was not taken yet ends like every other.
    await rm(join(folder, MICROPHONE_ORDER), { force: true });
    if (after.light) await rm(join(folder, LIGHT_FOLDER), { recursive: true, force: true });
    if (after.profiles) await rm(catalogFolder(folder), { recursive: true, force: true });
    // Earlier configurations are of before the reset.
    await removeDocument(folder, REVISIONS);
    if (after.copies) await removeCopies(folder);
    await syncFolder(folder);
    const next = { ...before, sections: { ...after.sections } };
    await forgetInKept(folder, droppedSecrets(before, next));
    await file.write(next);
    // Neither the previous copy nor a file that was set aside may still have a credential.
    await file.forgetBroken();
    await file.write(next);
    return null;
  } catch (error) {
    return errorCode(error);
  }
}
