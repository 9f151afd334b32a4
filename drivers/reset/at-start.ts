import { readdirSync, readFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { errorCode } from '#drivers/kit/error-code.ts';
import { syncFolder } from '#drivers/kit/replace-file.ts';
import { catalogFolder } from '#drivers/profiles/places.ts';
import { DurableFile, type LoadReport, PREVIOUS } from '#drivers/store/adapter.ts';
import { readDocument } from '#drivers/store/document.ts';
import { DOCUMENT, FILTER_DOCUMENT, GIVEN, SECTIONS } from '#drivers/store/folder.ts';
import { readSectionJson, sectionFileName, sectionOfFile } from '#drivers/store/section-file.ts';

type Sections = Readonly<Record<string, unknown>>;

/** What becomes of the data folder. */
export interface FolderAfter {
  readonly sections: Sections;
  /** Whether the saved profiles and what was selected go. */
  readonly profiles: boolean;
  /** What becomes of the entity filter's document; it is rewritten by a function of its JSON, which throws for none. */
  readonly filter: 'keep' | 'remove' | ((json: unknown) => unknown);
}

/** The name of the file of which one with this name is the copy, or is itself. */
const currentName = (name: string): string => (name.endsWith(PREVIOUS) ? name.slice(0, -PREVIOUS.length) : name);

/** Folders of the browsers' own profiles: sessions, cookies and storage of Home Assistant's pages. */
const BROWSERS = ['browser', 'foreign-browser'] as const;

/** The sections that have a file each; one that cannot be read has nothing to keep. */
function fileSectionsAtStart(folder: string): Sections {
  const own = join(folder, SECTIONS);
  const read = (section: string): readonly (readonly [string, unknown])[] => {
    const current = sectionFileName(section);
    for (const name of [current, `${current}${PREVIOUS}`])
      try {
        return [[section, readSectionJson(JSON.parse(readFileSync(join(own, name), 'utf8')))]];
      } catch {
        // The copy from before the last change is tried, as the store does.
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
 * Those of the files and those of the document in one. Until a section is moved to its file, the document counts; its
 * copy from before the last save may be older than the move.
 */
function joined(folder: string, inDocument: Sections, from: LoadReport['from']): Sections {
  const inFiles = fileSectionsAtStart(folder);
  return from === 'previous' ? { ...inDocument, ...inFiles } : { ...inFiles, ...inDocument };
}

/** All stored sections, without anything being changed; null where the document cannot be read as one. */
export function sectionsAtStart(folder: string): Sections | null {
  try {
    const { sections } = readDocument(JSON.parse(readFileSync(join(folder, DOCUMENT), 'utf8')));
    return joined(folder, sections, 'current');
  } catch {
    // The store finds out what is wrong with it, and says so.
    return null;
  }
}

/** Removes a document with all copies of it. */
async function removeDocument(folder: string, name: string): Promise<void> {
  const files = (await readdir(folder)).filter((file) => file === name || file.startsWith(`${name}.`));
  await Promise.all(files.map((file) => rm(join(folder, file), { force: true })));
}

async function changeFilter(folder: string, filter: FolderAfter['filter']): Promise<void> {
  if (filter === 'keep') return;
  if (filter === 'remove') return removeDocument(folder, FILTER_DOCUMENT);
  const file = new DurableFile<unknown>({ folder, name: FILTER_DOCUMENT, parse: filter });
  const after = await file.read();
  // One that says nothing that is understood holds nothing to keep.
  if (after === null) return removeDocument(folder, FILTER_DOCUMENT);
  // Twice: the copy from before the first still holds what goes.
  await file.write(after);
  await file.write(after);
}

/**
 * Changes the data folder, beside which nothing runs yet. The document is the last: whatever cuts this short, the order
 * in it still stands, and doing it again comes to the same. Null on success, else the code of what the disk refused.
 */
export async function resetFolder(folder: string, after: FolderAfter): Promise<string | null> {
  try {
    const file = new DurableFile({ folder, parse: readDocument });
    const before = await file.read();
    if (before === null) return 'unreadable';
    // A disk that refuses is found out before anything goes. The sections that have a file each go back into the
    // document, from which the store moves them again: so they change in one step with all others.
    await file.write({ ...before, sections: joined(folder, before.sections, file.report.from) });
    await rm(join(folder, SECTIONS), { recursive: true, force: true });
    await changeFilter(folder, after.filter);
    await Promise.all(BROWSERS.map((name) => rm(join(folder, name), { recursive: true, force: true })));
    // It may hold a password for Home Assistant that waits for its address: no reset leaves one behind.
    await rm(join(folder, GIVEN), { force: true });
    if (after.profiles) await rm(catalogFolder(folder), { recursive: true, force: true });
    await syncFolder(folder);
    const next = { ...before, sections: { ...after.sections } };
    await file.write(next);
    // Neither the copy from before nor what was set aside may still hold a credential.
    await file.forgetBroken();
    await file.write(next);
    return null;
  } catch (error) {
    return errorCode(error);
  }
}
