import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Added, Manifest } from '#machines/install/events.ts';
import { ok, refuse, type Result } from '#machines/kit/result.ts';
import { writeWhole } from './files.ts';

/** The list of what was added; every entry is on the disk before its act. */
export interface ManifestFile {
  readonly read: () => Manifest;
  readonly note: (...entries: readonly Added[]) => void;
}

const fileIn = (folder: string): string => join(folder, 'installed.json');

/** The text of the list in the program's folder; null if nothing was installed. */
export function readManifestText(folder: string): Result<string | null, 'unreadable'> {
  try {
    return ok(readFileSync(fileIn(folder), 'utf8'));
  } catch (failure) {
    if (failure instanceof Error && 'code' in failure && failure.code === 'ENOENT') return ok(null);
    return refuse('unreadable', `${fileIn(folder)} cannot be read. Run it as root.`);
  }
}

/** Keeps the list in the program's folder, replaced atomically; `noteAdded` adds an entry to it. */
export function manifestFile(
  folder: string,
  start: Manifest,
  noteAdded: (manifest: Manifest, entry: Added) => Manifest,
): ManifestFile {
  let manifest = start;
  return {
    read: () => manifest,
    note: (...entries) => {
      manifest = entries.reduce(noteAdded, manifest);
      writeWhole(fileIn(folder), `${JSON.stringify(manifest, null, 1)}\n`, 0o644);
    },
  };
}
