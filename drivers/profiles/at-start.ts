import { copyFileSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { errorCode } from '#drivers/kit/error-code.ts';
import { replaceFileNow } from '#drivers/kit/replace-file.ts';
import { formatFile, formatOf, isNewer, oneFormat } from '#drivers/store/formats.ts';

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

function readJson(path: string): Found<unknown> {
  const found = readBounded(path, MOST_RECORD_BYTES);
  if (found.state !== 'read') return found;
  try {
    return { state: 'read', value: JSON.parse(found.value.toString('utf8')) as unknown };
  } catch {
    return { state: 'damaged' };
  }
}

/** The activation record; of a newer version's, the copy from before it. */
export function readRecordAtStart(data: string): Found<unknown> {
  const path = join(catalogFolder(data), RECORD);
  const found = readJson(path);
  if (found.state !== 'read' || !isNewer(found.value, oneFormat)) return found;
  const copy = readJson(formatFile(path, oneFormat.current));
  return copy.state === 'read' ? copy : { state: 'damaged' };
}

/** Keeps a record of another format beside the one that is about to replace it; false if the disk refuses. */
export function keepOtherRecord(data: string): boolean {
  const path = join(catalogFolder(data), RECORD);
  const found = readJson(path);
  const format = found.state === 'read' ? formatOf(found.value) : null;
  if (format === null || format === oneFormat.current) return true;
  const keep = `${path}.keep`;
  try {
    rmSync(keep, { force: true });
    try {
      linkSync(path, keep);
    } catch {
      // A file system without hard links.
      copyFileSync(path, keep);
    }
    renameSync(keep, formatFile(path, format));
    return true;
  } catch {
    return false;
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
  if (!keepOtherRecord(data)) return false;
  return replaceFileNow(join(folder, RECORD), `${JSON.stringify(record)}\n`, { mode: 0o600, suffix: NEXT }).ok;
}
