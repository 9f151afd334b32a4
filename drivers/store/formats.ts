import { readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The formats of a document. Each has its number in the field `version`, and a program keeps the file of another format
 * that it replaces beside it (`formatFile`).
 */
export interface Formats {
  /** The one that this version writes. */
  readonly current: number;
  /** Turns the JSON of an earlier format, its number, into that of the next; pure. */
  readonly migrations: Readonly<Record<number, (json: Fields) => Fields>>;
}

/** The formats of a document that has had only one. */
export const oneFormat: Formats = { current: 1, migrations: {} };

/** Highest number that counts as a format and not as damage. */
const MOST_FORMATS = 9999;

const isFields = (json: unknown): json is Fields => typeof json === 'object' && json !== null && !Array.isArray(json);

/** The format of a document; null for anything else. */
export function formatOf(json: unknown): number | null {
  const version = isFields(json) ? json['version'] : null;
  return typeof version === 'number' && Number.isInteger(version) && version >= 1 && version <= MOST_FORMATS
    ? version
    : null;
}

/** True if a newer version of the program wrote the document. */
export const isNewer = (json: unknown, { current }: Formats): boolean => (formatOf(json) ?? current) > current;

/** A document of a newer format, which this version neither reads nor replaces. */
export class NewerFormat extends Error {
  override readonly name = 'NewerFormat';
  readonly code = 'newer-format';
  constructor() {
    super('a newer version wrote this document');
  }
}

/** The JSON of a document in the present format, by the migrations of all formats since; others pass as they are. */
export function inPresentFormat(json: unknown, { current, migrations }: Formats): unknown {
  let read = json;
  for (let format = formatOf(json) ?? current; format < current; format += 1) {
    const migrate = migrations[format];
    if (migrate === undefined || !isFields(read)) return json;
    read = { ...migrate(read), version: format + 1 };
  }
  return read;
}

/** The file that keeps a document of that format. */
export const formatFile = (path: string, format: number): string => `${path}.v${format}`;

/** The formats of which documents are kept beside `path`, the newest first. */
export async function keptFormats(path: string): Promise<readonly number[]> {
  const start = `${basename(path)}.v`;
  const names = await readdir(dirname(path)).catch(() => []);
  return names
    .filter((name) => name.startsWith(start) && /^[1-9]\d{0,3}$/.test(name.slice(start.length)))
    .map((name) => Number(name.slice(start.length)))
    .toSorted((one, other) => other - one);
}
