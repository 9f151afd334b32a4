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

// What a start needs of the catalogue before anything else runs; synchronous, since nothing may start meanwhile.

/** Content of a file; `damaged` if it exists but cannot be used. */
export type Found<T> = { readonly state: 'read'; readonly value: T } | { readonly state: 'absent' | 'damaged' };

function readBounded(path: string, most: number): Found<Buffer> {
  try {
    const facts = statSync(path);
    // Anything but a file has a size of 0, and may never end.
    if (!facts.isFile() || facts.size > most) return { state: 'damaged' };
    return { state: 'read', value: readFileSync(path) };
  } catch (error) {
    return { state: errorCode(error) === 'ENOENT' ? 'absent' : 'damaged' };
  }
}

export function readRecordAtStart(data: string): Found<unknown> {
  const found = readBounded(join(catalogFolder(data), RECORD), MOST_RECORD_BYTES);
  if (found.state !== 'read') return found;
  try {
    return { state: 'read', value: JSON.parse(found.value.toString('utf8')) as unknown };
  } catch {
    return { state: 'damaged' };
  }
}

/** The bytes of a saved revision; `damaged` if their hash does not match. */
export function readRevisionAtStart(data: string, name: RevisionName): Found<Uint8Array> {
  const found = readBounded(fileOf(data, name), MOST_BYTES);
  return found.state === 'read' && revisionOf(found.value) !== name.revision ? { state: 'damaged' } : found;
}

/** Replaces the activation record atomically; false if the disk refuses, which leaves the former one. */
export function writeRecordAtStart(data: string, record: unknown): boolean {
  const folder = catalogFolder(data);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    return false;
  }
  return replaceFileNow(join(folder, RECORD), `${JSON.stringify(record)}\n`, { mode: 0o600, suffix: NEXT }).ok;
}
