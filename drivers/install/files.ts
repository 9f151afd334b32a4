import { createHash } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { NotReplaced, replaceFileNow } from '#drivers/kit/replace-file.ts';

/** SHA-256 of a text, in hexadecimal. */
export const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

/** The text of a regular file and its permission bits; null if there is none. */
export function readOrdinary(path: string): { readonly text: string; readonly mode: number } | null {
  try {
    const facts = lstatSync(path);
    return facts.isFile() ? { text: readFileSync(path, 'utf8'), mode: facts.mode & 0o777 } : null;
  } catch {
    return null;
  }
}

/** The missing folders above a path, the outermost first. */
export function missingFolders(path: string): readonly string[] {
  const missing: string[] = [];
  for (let folder = dirname(path); !existsSync(folder); folder = dirname(folder)) missing.unshift(folder);
  return missing;
}

/** Replaces a file and creates missing folders; throws with the code of the failure. */
export function writeWhole(path: string, text: string, mode: number): void {
  // Root's umask may be stricter, but polkitd, udev's helpers and the panel's user must be able to read.
  for (const folder of missingFolders(path)) {
    mkdirSync(folder);
    chmodSync(folder, 0o755);
  }
  const replaced = replaceFileNow(path, text, { mode, suffix: '.sconce-new' });
  if (!replaced.ok) throw new NotReplaced(replaced);
}
