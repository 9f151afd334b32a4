import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** SHA-256 of a text, in hexadecimal. */
export const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

/** The text of an ordinary file and its permission bits; null where there is none. */
export const readOrdinary = (path: string): { readonly text: string; readonly mode: number } | null => {
  try {
    const facts = lstatSync(path);
    return facts.isFile() ? { text: readFileSync(path, 'utf8'), mode: facts.mode & 0o777 } : null;
  } catch {
    return null;
  }
};

const syncFolder = (folder: string): void => {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
};

/** The folders above a path that are not there, the outermost first. */
export const missingFolders = (path: string): readonly string[] => {
  const missing: string[] = [];
  for (let folder = dirname(path); !existsSync(folder); folder = dirname(folder)) missing.unshift(folder);
  return missing;
};

/** Writes a file so that at every moment either the old one or the whole new one is there, also after a power cut. */
export const writeWhole = (path: string, text: string, mode: number): void => {
  // Root's umask may be stricter, and others must read: polkitd, udev's helpers, the panel's user.
  for (const folder of missingFolders(path)) {
    mkdirSync(folder);
    chmodSync(folder, 0o755);
  }
  const fresh = `${path}.sconce-new`;
  rmSync(fresh, { force: true });
  const fd = openSync(fresh, 'wx', mode);
  try {
    fchmodSync(fd, mode);
    writeFileSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(fresh, path);
  syncFolder(dirname(path));
};
