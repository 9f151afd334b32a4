import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { ProfileSummary } from '#machines/profile-catalog/reading.ts';

import type { ProfileShape } from './document.ts';
import { revisionOf, summarize } from './summary.ts';
import { readYaml } from './yaml/read-yaml.ts';

/** A profile that comes with Sconce. */
export interface BundledProfile {
  readonly summary: ProfileSummary;
  readonly document: ProfileShape;
}

/** One row of the index that the build writes, so that a start parses no YAML. */
interface IndexRow {
  readonly file: string;
  readonly revision: string;
  readonly bytes: number;
  readonly document: ProfileShape;
}

// Beside this file, and beside the bundle.
const folder = (): string => join(dirname(fileURLToPath(import.meta.url)), 'bundled');

const fromYaml = (): readonly IndexRow[] =>
  readdirSync(folder())
    .filter((file) => file.endsWith('.yaml'))
    .toSorted()
    .flatMap((file) => {
      const bytes = readFileSync(join(folder(), file));
      const read = readYaml(bytes);
      // A test reads every bundled file with its schema.
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
    // Written by bin/build.mjs from the same files; its shape is ours.
    return JSON.parse(readFileSync(join(folder(), 'index.json'), 'utf8')) as readonly IndexRow[];
  } catch {
    // The sources have no index.
    try {
      return fromYaml();
    } catch {
      // Nothing is there at all: the emergency profile is what is left.
      return [];
    }
  }
}

let rows: readonly IndexRow[] | undefined;

/** The profiles that come with Sconce, by id; read once. */
export const bundledProfiles = (): readonly BundledProfile[] =>
  (rows ??= readRows()).map(({ document, revision, bytes }) => ({
    document,
    summary: summarize(document, { revision, bytes, origin: 'bundled' }),
  }));

/** One of them; null where there is none of that id. */
export const bundledProfile = (id: string): BundledProfile | null =>
  bundledProfiles().find(({ document }) => document.id === id) ?? null;

/** The exact bytes of one, for showing and exporting; null where there is none of that id. */
export function bundledBytes(id: string): Uint8Array | null {
  const row = (rows ??= readRows()).find(({ document }) => document.id === id);
  return row === undefined ? null : readFileSync(join(folder(), row.file));
}
