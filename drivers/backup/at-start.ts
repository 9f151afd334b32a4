import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { errorCode } from '#drivers/kit/error-code.ts';
import { syncFolder } from '#drivers/kit/replace-file.ts';
import { keepOtherRecord, readRecordAtStart } from '#drivers/profiles/at-start.ts';
import { catalogFolder, fileOf, folderOf, RECORD, type RevisionName } from '#drivers/profiles/places.ts';
import { joinedSections } from '#drivers/reset/at-start.ts';
import { DurableFile, PREVIOUS } from '#drivers/store/adapter.ts';
import { droppedSecrets, forgetInKept } from '#drivers/store/credentials.ts';
import { documentFormats, readDocument, type StateDocument } from '#drivers/store/document.ts';
import { DOCUMENT, FILTER_DOCUMENT, SECTIONS } from '#drivers/store/folder.ts';
import { formatFile } from '#drivers/store/formats.ts';
import { sectionFileName } from '#drivers/store/section-file.ts';

import { restoreFolder, stagedRevision, writeSynced } from './staged.ts';

type Sections = Readonly<Record<string, unknown>>;

/** The data folder after a restore, from what is in it; each function gives the same for its own result. */
export interface FolderAfterRestore {
  readonly sections: (before: Sections) => Sections;
  /** The document of the entity filter; its JSON is null if there is none. */
  readonly filter: (before: unknown) => unknown;
  /** The activation record of the profiles, likewise. */
  readonly activation: (before: unknown) => unknown;
  /** Profiles that were staged and join the saved ones. */
  readonly revisions: readonly RevisionName[];
}

/** What `filter` and `activation` give for a file that stays as it is. */
const KEEP = 'keep';

export type FolderRestored =
  | { readonly done: true }
  /** `begun` means that some files may be new already: only a repetition makes it whole. */
  | { readonly done: false; readonly code: string; readonly begun: boolean };

/** The new files, beside what was staged, until they take their places. */
const NEXT = { filter: 'next-filter.json', activation: 'next-activation.json', document: 'next-state.json' } as const;

const nextFile = (data: string, which: keyof typeof NEXT): string => join(restoreFolder(data), NEXT[which]);

const documentOf = (data: string): DurableFile<StateDocument> =>
  new DurableFile({ folder: data, formats: documentFormats, parse: readDocument });

const textOf = (json: unknown): string => `${JSON.stringify(json)}\n`;

/** Writes a new file durably, or removes a leftover one if its place stays as it is. */
async function writeNext(data: string, which: keyof typeof NEXT, json: unknown): Promise<void> {
  const path = nextFile(data, which);
  await rm(path, { force: true });
  if (json !== KEEP) await writeSynced(path, textOf(json));
}

const filterOf = (data: string): DurableFile<unknown> =>
  new DurableFile<unknown>({ folder: data, name: FILTER_DOCUMENT, parse: (json) => json });

function activationBefore(data: string): unknown {
  const found = readRecordAtStart(data);
  return found.state === 'read' ? found.value : null;
}

/** Writes every new file beside the old ones; nothing that is read later changes. */
async function writeAll(
  data: string,
  { filter, activation, sections }: FolderAfterRestore,
  { before, held }: { readonly before: StateDocument; readonly held: Sections },
): Promise<void> {
  await writeNext(data, 'filter', filter(await filterOf(data).read()));
  await writeNext(data, 'activation', activation(activationBefore(data)));
  await writeNext(data, 'document', { ...before, sections: sections(held) });
  await syncFolder(restoreFolder(data));
}

/** Renames a file that is there; after an interruption it has its new name already. */
async function place(from: string, to: string): Promise<void> {
  if (existsSync(from)) await rename(from, to);
}

/** A document of a newer version is kept beside the one that takes its place. */
async function placeFilter(data: string): Promise<void> {
  if (!existsSync(nextFile(data, 'filter'))) return;
  const path = join(data, FILTER_DOCUMENT);
  const file = filterOf(data);
  await file.read();
  if (file.report.newer !== null) await place(path, formatFile(path, file.report.newer.version));
  await place(nextFile(data, 'filter'), path);
}

async function placeProfiles(data: string, revisions: readonly RevisionName[]): Promise<void> {
  const folders = new Set<string>();
  for (const name of revisions) {
    const folder = folderOf(data, name.id);
    folders.add(folder);
    // oxlint-disable-next-line no-await-in-loop -- in order: an interruption leaves the rest to the next start
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // oxlint-disable-next-line no-await-in-loop -- as above
    await place(stagedRevision(data, name), fileOf(data, name));
  }
  if (existsSync(nextFile(data, 'activation'))) {
    await mkdir(catalogFolder(data), { recursive: true, mode: 0o700 });
    keepOtherRecord(data);
    await place(nextFile(data, 'activation'), join(catalogFolder(data), RECORD));
  }
  for (const folder of folders) {
    // oxlint-disable-next-line no-await-in-loop -- as above
    await syncFolder(folder);
  }
  if (existsSync(catalogFolder(data))) await syncFolder(catalogFolder(data));
}

/** Removes the separate files of sections that are in the document now; those that could not be read stay. */
async function removeSectionFiles(data: string, held: Sections): Promise<void> {
  const own = join(data, SECTIONS);
  if (!existsSync(own)) return;
  const names = Object.keys(held).map(sectionFileName);
  await Promise.all(
    names.flatMap((name) => [name, `${name}${PREVIOUS}`]).map((name) => rm(join(own, name), { force: true })),
  );
  await syncFolder(own);
}

/** The copies from before the restore may have credentials that the panel no longer has. */
async function renewCopies(data: string, before: StateDocument): Promise<void> {
  const file = documentOf(data);
  const restored = await file.read();
  if (restored === null) return;
  await forgetInKept(data, droppedSecrets(before, restored));
  await file.forgetBroken();
  await file.write(restored);
}

/**
 * Carries out a restore while nothing else runs yet. First every new file is written beside the old ones, so that a
 * disk that refuses leaves everything as it was. Then they are renamed, the document last: after an interruption the
 * order is still in it, and a repetition has the same result.
 */
export async function restoreData(data: string, after: FolderAfterRestore): Promise<FolderRestored> {
  let begun = false;
  let before: StateDocument | null = null;
  try {
    const file = documentOf(data);
    before = await file.read();
    if (before === null) return { done: false, code: 'unreadable', begun };
    const held = joinedSections(data, before.sections, file.report.from);
    await writeAll(data, after, { before, held });
    // Sections with separate files go back into the document, from which the store moves them again, so that all
    // sections change in one step.
    await file.write({ ...before, sections: held });
    begun = true;
    await removeSectionFiles(data, held);
    await placeFilter(data);
    await placeProfiles(data, after.revisions);
    await syncFolder(data);
    await rename(nextFile(data, 'document'), join(data, DOCUMENT));
    await syncFolder(data);
  } catch (error) {
    return { done: false, code: errorCode(error), begun };
  }
  // It is restored. If the disk refuses this, the next save replaces the previous copy.
  await renewCopies(data, before).catch(() => {});
  return { done: true };
}

/** Replaces sections at a start; null on success, else the error code, and everything is as it was. */
export async function changeSections(data: string, change: (before: Sections) => Sections): Promise<string | null> {
  try {
    const file = documentOf(data);
    const before = await file.read();
    if (before === null) return 'unreadable';
    const held = joinedSections(data, before.sections, file.report.from);
    await file.write({ ...before, sections: { ...before.sections, ...change(held) } });
    return null;
  } catch (error) {
    return errorCode(error);
  }
}
