import { constants } from 'node:fs';
import { mkdir, open, readdir, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';

import { errorCode } from '#drivers/kit/error-code.ts';
import { replaceFile, syncFolder } from '#drivers/kit/replace-file.ts';
import { failureOf } from '#drivers/store/failure.ts';

import { type Found, keepOtherRecord, readRecordAtStart } from './at-start.ts';
import { catalogFolder, fileOf, folderOf, MOST_BYTES, NEXT, RECORD, revisionOf, type RevisionName } from './places.ts';

/** The files of the catalogue. Calls that write must not overlap. */
export interface ProfileFiles {
  /** Names of the saved revisions, at most 256; other files are ignored. */
  readonly list: () => Promise<readonly RevisionName[]>;
  /** The exact bytes of one; `damaged` if their hash does not match. */
  readonly read: (name: RevisionName) => Promise<Found<Uint8Array>>;
  /** Saves one, atomically and durably; null on success, else a stable code. */
  readonly save: (name: RevisionName, bytes: Uint8Array) => Promise<string | null>;
  /** Deletes one for good; null on success, even if it did not exist. */
  readonly remove: (name: RevisionName) => Promise<string | null>;
  readonly readRecord: () => Found<unknown>;
  /** Replaces the activation record, atomically and durably; null on success, else a stable code. */
  readonly writeRecord: (record: unknown) => Promise<string | null>;
  /** The revision of these bytes: their hash. */
  readonly revisionOf: (bytes: Uint8Array) => string;
}

/** Most files listed: twice what the catalogue accepts. */
const MOST_LISTED = 256;

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch {
    // Nothing was saved yet, or it is not a folder.
    return [];
  }
}

/** Replaces a file and creates its folder if there is none; null on success, else a stable code. */
async function replace(folder: string, name: string, bytes: Uint8Array | string): Promise<string | null> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    return failureOf(error);
  }
  const replaced = await replaceFile(join(folder, name), bytes, { mode: 0o600, suffix: NEXT });
  return replaced.ok ? null : failureOf(replaced);
}

async function readFound(path: string, revision: string): Promise<Found<Uint8Array>> {
  try {
    const handle = await open(path, constants.O_RDONLY);
    try {
      if ((await handle.stat()).size > MOST_BYTES) return { state: 'damaged' };
      const value = await handle.readFile();
      return revisionOf(value) === revision ? { state: 'read', value } : { state: 'damaged' };
    } finally {
      await handle.close();
    }
  } catch (error) {
    return { state: errorCode(error) === 'ENOENT' ? 'absent' : 'damaged' };
  }
}

/** Patterns of ids and revisions. */
export interface NamePatterns {
  readonly id: RegExp;
  readonly revision: RegExp;
}

export function profileFiles(data: string, patterns: NamePatterns): ProfileFiles {
  const catalog = catalogFolder(data);
  const revisionsOf = async (id: string): Promise<readonly RevisionName[]> =>
    (await namesIn(folderOf(data, id)))
      .filter((name) => name.endsWith('.yaml') && patterns.revision.test(name.slice(0, -5)))
      .map((name) => ({ id, revision: name.slice(0, -5) }));
  return {
    list: async () => {
      const ids = (await namesIn(catalog)).filter((name) => patterns.id.test(name)).slice(0, MOST_LISTED);
      return (await Promise.all(ids.map(revisionsOf))).flat().slice(0, MOST_LISTED);
    },
    read: (name) => readFound(fileOf(data, name), name.revision),
    save: async (name, bytes) => {
      const trouble = await replace(folderOf(data, name.id), `${name.revision}.yaml`, bytes);
      if (trouble !== null) return trouble;
      // The id's folder may be new as well.
      return syncFolder(catalog).then(
        () => null,
        (error: unknown) => failureOf(error),
      );
    },
    remove: async (name) => {
      try {
        await unlink(fileOf(data, name));
        await syncFolder(folderOf(data, name.id));
      } catch (error) {
        if (errorCode(error) !== 'ENOENT') return failureOf(error);
      }
      // Succeeds only if the folder is empty now.
      await rmdir(folderOf(data, name.id)).catch(() => {});
      return null;
    },
    readRecord: () => readRecordAtStart(data),
    writeRecord: async (record) =>
      keepOtherRecord(data) ? replace(catalog, RECORD, `${JSON.stringify(record)}\n`) : 'unknown',
    revisionOf,
  };
}
