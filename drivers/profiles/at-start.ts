import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { errnoOf } from '#drivers/store/failure.ts';

import {
  catalogFolder,
  fileOf,
  MOST_BYTES,
  MOST_RECORD_BYTES,
  NEXT,
  RECORD,
  revisionOf,
  type RevisionName,
} from './places.ts';

// What a start needs of the catalogue before anything else runs: in one go, since nothing may start beside it.

/** What a file held; `damaged` is said of what is there and cannot be used. */
export type Found<T> = { readonly state: 'read'; readonly value: T } | { readonly state: 'absent' | 'damaged' };

const readBounded = (path: string, most: number): Found<Buffer> => {
  try {
    if (statSync(path).size > most) return { state: 'damaged' };
    return { state: 'read', value: readFileSync(path) };
  } catch (error) {
    return { state: errnoOf(error) === 'ENOENT' ? 'absent' : 'damaged' };
  }
};

/** The JSON of the activation record. */
export const readRecordAtStart = (data: string): Found<unknown> => {
  const found = readBounded(join(catalogFolder(data), RECORD), MOST_RECORD_BYTES);
  if (found.state !== 'read') return found;
  try {
    return { state: 'read', value: JSON.parse(found.value.toString('utf8')) as unknown };
  } catch {
    return { state: 'damaged' };
  }
};

/** The bytes of a saved revision; `damaged` when they are not those that were saved. */
export const readRevisionAtStart = (data: string, name: RevisionName): Found<Uint8Array> => {
  const found = readBounded(fileOf(data, name), MOST_BYTES);
  return found.state === 'read' && revisionOf(found.value) !== name.revision ? { state: 'damaged' } : found;
};

const syncFolder = (folder: string): void => {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

/** Replaces the activation record whole; false when the disk refuses, and then the former one is in force. */
export const writeRecordAtStart = (data: string, record: unknown): boolean => {
  const folder = catalogFolder(data);
  const next = join(folder, `${RECORD}${NEXT}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    rmSync(next, { force: true });
    const handle = openSync(next, 'wx', 0o600);
    try {
      writeFileSync(handle, `${JSON.stringify(record)}\n`);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(next, join(folder, RECORD));
    syncFolder(folder);
    return true;
  } catch {
    return false;
  }
};
