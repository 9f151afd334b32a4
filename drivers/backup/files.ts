import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { errorCode } from '#drivers/kit/error-code.ts';
import { PREVIOUS } from '#drivers/store/adapter.ts';
import { FILTER_DOCUMENT, TEMPORARY } from '#drivers/store/folder.ts';

/** Prefix of this subsystem's temporary files; other subsystems share the folder. */
const PREFIX = 'archive-';

/** Largest document of the entity filter that is read, in bytes: the largest that is written. */
const MOST_FILTER_BYTES = 32 * 1024 * 1024;

/** JSON of a file; `damaged` if it exists and cannot be used. */
export type FoundJson = { readonly state: 'read'; readonly value: unknown } | { readonly state: 'absent' | 'damaged' };

/** The file system of backups. */
export interface BackupFiles {
  /** Path for a new file that does not outlive the agent; throws if its folder cannot be made. */
  readonly temporary: (extension: string) => string;
  /** Removes a temporary file; a missing one is not a failure. */
  readonly remove: (path: string) => Promise<void>;
  /** The document of the entity filter: the current one, else the copy from before its last change. */
  readonly filter: () => Promise<FoundJson>;
  /** Size of a file in bytes. */
  readonly sizeOf: (path: string) => Promise<number>;
}

async function readJson(path: string): Promise<FoundJson> {
  try {
    if ((await stat(path)).size > MOST_FILTER_BYTES) return { state: 'damaged' };
    return { state: 'read', value: JSON.parse(await readFile(path, 'utf8')) as unknown };
  } catch (error) {
    return { state: errorCode(error) === 'ENOENT' ? 'absent' : 'damaged' };
  }
}

export function backupFiles(data: string): BackupFiles {
  const folder = join(data, TEMPORARY);
  return {
    temporary: (extension) => {
      if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
      return join(folder, `${PREFIX}${randomUUID()}.${extension}`);
    },
    remove: async (path) => {
      await rm(path, { force: true }).catch(() => {});
    },
    filter: async () => {
      const current = await readJson(join(data, FILTER_DOCUMENT));
      if (current.state === 'read') return current;
      const previous = await readJson(join(data, `${FILTER_DOCUMENT}${PREVIOUS}`));
      return previous.state === 'read' ? previous : current;
    },
    sizeOf: async (path) => (await stat(path)).size,
  };
}

/** Removes the temporary files of an agent that was killed: one may be an archive that is not encrypted yet. */
export function sweepArchives(data: string): void {
  const folder = join(data, TEMPORARY);
  try {
    for (const name of readdirSync(folder)) if (name.startsWith(PREFIX)) rmSync(join(folder, name), { force: true });
  } catch {
    // There is no such folder yet, or the disk refuses.
  }
}
