import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { replaceFileNow } from '#drivers/kit/replace-file.ts';

import { RECORDED } from './folder.ts';

/** Largest such file in bytes: 256 entries of at most 500 bytes, and some room. */
const MOST_BYTES = 262_144;

/** The small file that survives every reset and is read once per start. */
export interface RecordedFile {
  /** Its JSON; null if there is none, or if it cannot be read. */
  readonly read: () => unknown;
  /** Replaces it, durably; null on success, else the error code. */
  readonly write: (json: unknown) => string | null;
}

export function recordedFile(folder: string): RecordedFile {
  const file = join(folder, RECORDED);
  return {
    read: () => {
      try {
        const facts = statSync(file);
        return facts.isFile() && facts.size <= MOST_BYTES ? (JSON.parse(readFileSync(file, 'utf8')) as unknown) : null;
      } catch {
        return null;
      }
    },
    write: (json) => {
      const replaced = replaceFileNow(file, `${JSON.stringify(json)}\n`, { mode: 0o600 });
      return replaced.ok ? null : replaced.code;
    },
  };
}
