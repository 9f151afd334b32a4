import { readdirSync, readFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { errorCode } from '#drivers/kit/error-code.ts';
import { syncFolder } from '#drivers/kit/replace-file.ts';
import { catalogFolder } from '#drivers/profiles/places.ts';
import { DurableFile, type LoadReport, PREVIOUS } from '#drivers/store/adapter.ts';
import { readDocument } from '#drivers/store/document.ts';
import { DOCUMENT, FILTER_DOCUMENT, GIVEN, LIGHT_FOLDER, SECTIONS } from '#drivers/store/folder.ts';
import { readSectionJson, sectionFileName, sectionOfFile } from '#drivers/store/section-file.ts';

type Sections = Readonly<Record<string, unknown>>;

/** The data folder after a reset. */
export interface FolderAfter {
  readonly sections: Sections;
  /** True to remove the saved profiles and the selection. */
  readonly profiles: boolean;
  /** True to remove what was learned of the room's light. */
  readonly light: boolean;
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
        return [[section, readSectionJson(JSON.parse(readFileSync(join(own, name), 'utf8')))]];
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
function joined(folder: string, inDocument: Sections, from: LoadReport['from']): Sections {
  const inFiles = fileSectionsAtStart(folder);
  return from === 'previous' ? { ...inDocument, ...inFiles } : { ...inFiles, ...inDocument };
}

/** All stored sections, read without any change; null if the document is not valid. */
export function sectionsAtStart(folder: string): Sections | null {
  try {
    const { sections } = readDocument(JSON.parse(readFileSync(join(folder, DOCUMENT), 'utf8')));
    return joined(folder, sections, 'current');
  } catch {
    // The store will find and report the reason.
    return null;
  }
}

/** Removes a document with all its copies. */
async function removeDocument(folder: string, name: string): Promise<void> {
  const files = (await readdir(folder)).filter((file) => file === name || file.startsWith(`${name}.`));
  await Promise.all(files.map((file) => rm(join(folder, file), { force: true })));
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
    const file = new DurableFile({ folder, parse: readDocument });
    const before = await file.read();
    if (before === null) return 'unreadable';
    // A disk that refuses shows here, before anything is removed. Sections with separate files go back into the
    // document, from which the store moves them again, so that all sections change in one step.
    await file.write({ ...before, sections: joined(folder, before.sections, file.report.from) });
    await rm(join(folder, SECTIONS), { recursive: true, force: true });
    await changeFilter(folder, after.filter);
    await Promise.all(BROWSERS.map((name) => rm(join(folder, name), { recursive: true, force: true })));
    // It may have a password for a Home Assistant whose address is still missing: no reset leaves one behind.
    await rm(join(folder, GIVEN), { force: true });
    if (after.light) await rm(join(folder, LIGHT_FOLDER), { recursive: true, force: true });
    if (after.profiles) await rm(catalogFolder(folder), { recursive: true, force: true });
    await syncFolder(folder);
    const next = { ...before, sections: { ...after.sections } };
    await file.write(next);
    // Neither the previous copy nor a file that was set aside may still have a credential.
    await file.forgetBroken();
    await file.write(next);
    return null;
  } catch (error) {
    return errorCode(error);
  }
}
