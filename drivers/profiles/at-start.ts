import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { errorCode } from '#drivers/kit/error-code.ts';
import { replaceFileNow } from '#drivers/kit/replace-file.ts';

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

/** What a file held; `damaged` is what is there and cannot be used. */
export type Found<T> = { readonly state: 'read'; readonly value: T } | { readonly state: 'absent' | 'damaged' };

function readBounded(path: string, most: number): Found<Buffer> {
  try {
    const facts = statSync(path);
    // What is no file has a size of 0 and no end.
    if (!facts.isFile() || facts.size > most) return { state: 'damaged' };
    return { state: 'read', value: readFileSync(path) };
  } catch (error) {
    return { state: errorCode(error) === 'ENOENT' ? 'absent' : 'damaged' };
  }
}

/** The JSON of the activation record. */
export function readRecordAtStart(data: string): Found<unknown> {
  const found = readBounded(join(catalogFolder(data), RECORD), MOST_RECORD_BYTES);
  if (found.state !== 'read') return found;
  try {
    return { state: 'read', value: JSON.parse(found.value.toString('utf8')) as unknown };
  } catch {
    return { state: 'damaged' };
  }
}

/** The bytes of a saved revision; `damaged` when they are not those that were saved. */
export function readRevisionAtStart(data: string, name: RevisionName): Found<Uint8Array> {
  const found = readBounded(fileOf(data, name), MOST_BYTES);
  return found.state === 'read' && revisionOf(found.value) !== name.revision ? { state: 'damaged' } : found;
}

/** Replaces the activation record whole; false when the disk refuses, and then the former one is in force. */
export function writeRecordAtStart(data: string, record: unknown): boolean {
  const folder = catalogFolder(data);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    return false;
  }
  return replaceFileNow(join(folder, RECORD), `${JSON.stringify(record)}\n`, { mode: 0o600, suffix: NEXT }).ok;
}
