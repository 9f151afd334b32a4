import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** Name of the catalogue's folder in the data folder. */
export const CATALOG = 'profiles';
/** Name of the activation record in the catalogue's folder. */
export const RECORD = 'activation.json';
/** Suffix of a file that is being written. */
export const NEXT = '.next';

/**
 * A revision by id and SHA-256 of its bytes. Both were checked against their patterns, so each is one segment of a
 * path.
 */
export interface RevisionName {
  readonly id: string;
  readonly revision: string;
}

/** Largest revision that is read, in bytes; the format allows no larger one. */
export const MOST_BYTES = 131_072;
/** Largest activation record that is read, in bytes: it has a dozen short fields. */
export const MOST_RECORD_BYTES = 65_536;

/** The revision of these bytes: SHA-256 in lower-case hexadecimal. */
export const revisionOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export const catalogFolder = (data: string): string => join(data, CATALOG);

/** Folder of all revisions of one id. */
export const folderOf = (data: string, id: string): string => join(data, CATALOG, id);

/** File of one revision. */
export const fileOf = (data: string, { id, revision }: RevisionName): string =>
  join(folderOf(data, id), `${revision}.yaml`);
