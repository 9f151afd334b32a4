import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { ProfileSummary } from '#machines/profile-catalog/reading.ts';

import type { ProfileShape } from './document.ts';
import { revisionOf, summarize } from './summary.ts';
import { readYaml } from './yaml/read-yaml.ts';

/** A bundled profile, that is, one that comes with Sconce. */
export interface BundledProfile {
  readonly summary: ProfileSummary;
  readonly document: ProfileShape;
}

/** A row of the index that the build writes, so that a start parses no YAML. */
interface IndexRow {
  readonly file: string;
  readonly revision: string;
  readonly bytes: number;
  readonly document: ProfileShape;
}

// The same place relative to this source file and to the built bundle.
const folder = (): string => join(dirname(fileURLToPath(import.meta.url)), 'bundled');

const fromYaml = (): readonly IndexRow[] =>
  readdirSync(folder())
    .filter((file) => file.endsWith('.yaml'))
    .toSorted()
    .flatMap((file) => {
      const bytes = readFileSync(join(folder(), file));
      const read = readYaml(bytes);
      // The cast is safe: a test validates every bundled file.
      return read.ok
        ? [
            {
              file,
              revision: revisionOf(bytes),
              bytes: bytes.length,
              document: read.value.document as unknown as ProfileShape,
            },
          ]
        : [];
    });

function readRows(): readonly IndexRow[] {
  try {
    // bin/build.mjs writes it from the same files.
    return JSON.parse(readFileSync(join(folder(), 'index.json'), 'utf8')) as readonly IndexRow[];
  } catch {
    // No index: running from source.
    try {
      return fromYaml();
    } catch {
      // No files at all: only the emergency profile is left.
      return [];
    }
  }
}

let rows: readonly IndexRow[] | undefined;

/** The bundled profiles, ordered by file name; read once. */
export const bundledProfiles = (): readonly BundledProfile[] =>
  (rows ??= readRows()).map(({ document, revision, bytes }) => ({
    document,
    summary: summarize(document, { revision, bytes, origin: 'bundled' }),
  }));

/** The bundled profile of that id; null if there is none. */
export const bundledProfile = (id: string): BundledProfile | null =>
  bundledProfiles().find(({ document }) => document.id === id) ?? null;

/** The exact bytes of a bundled profile, for display and export; null if there is none of that id. */
export function bundledBytes(id: string): Uint8Array | null {
  const row = (rows ??= readRows()).find(({ document }) => document.id === id);
  return row === undefined ? null : readFileSync(join(folder(), row.file));
}
