import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

import { errorCode } from './error-code.ts';

// Not write-file-atomic, which does not fsync the folder, so that a power cut may undo the rename.

export type Replaced =
  | { readonly ok: true }
  /**
   * `code` is that of the error, such as `ENOSPC`; `renamed` means that the new file is there, but may not survive a
   * power cut.
   */
  | { readonly ok: false; readonly code: string; readonly renamed: boolean; readonly error: unknown };

/** A failed replacement as an error: `code` is that of the failed call, which is the `cause`. */
export class NotReplaced extends Error {
  override readonly name = 'NotReplaced';
  readonly code: string;
  constructor({ code, error }: Extract<Replaced, { ok: false }>) {
    super('the file was not replaced', { cause: error });
    this.code = code;
  }
}

/** Steps of a replacement, in order. */
export type ReplaceStep = 'opened' | 'written' | 'synced' | 'renamed' | 'folder-synced';

export interface ReplaceOptions {
  /** Permission bits, regardless of the umask; by default those of the replaced file, or 0600 if there is none. */
  readonly mode?: number;
  /** Suffix of the temporary file, which a failure removes. */
  readonly suffix?: string;
}

export interface ReplaceHooks {
  /** Runs when the new file is on the disk and the old one still in place; its rejection fails the replacement. */
  readonly beforeRename?: () => Promise<void>;
  /** Called after each step. */
  readonly onStep?: (step: ReplaceStep) => void;
}

const SUFFIX = '.next';
const MODE = 0o600;
const PERMISSIONS = 0o777;

/**
 * Replaces a file in an existing folder: at every moment, even after a power cut, its name leads to the whole old or
 * the whole new file, and to the new one once this resolves with `ok`. Two replacements of one file must not overlap.
 */
export async function replaceFile(
  path: string,
  data: string | Uint8Array,
  { mode, suffix = SUFFIX, beforeRename, onStep = () => {} }: ReplaceOptions & ReplaceHooks = {},
): Promise<Replaced> {
  const next = `${path}${suffix}`;
  let renamed = false;
  try {
    const permissions = mode ?? (await stat(path).catch(() => ({ mode: MODE }))).mode & PERMISSIONS;
    await rm(next, { force: true });
    // Must be a new file: other users of the folder may have put a link at this name.
    const file = await open(next, 'wx', permissions);
    try {
      onStep('opened');
      await file.chmod(permissions);
      await file.writeFile(data);
      onStep('written');
      await file.sync();
    } finally {
      await file.close();
    }
    onStep('synced');
    await beforeRename?.();
    await rename(next, path);
    renamed = true;
    onStep('renamed');
    await syncFolder(dirname(path));
    onStep('folder-synced');
    return { ok: true };
  } catch (error) {
    // Frees space on a full disk for the next attempt.
    if (!renamed) await rm(next, { force: true }).catch(() => {});
    return { ok: false, code: errorCode(error), renamed, error };
  }
}

/** As `replaceFile`, but synchronous: for a start and for the installer, while nothing else runs. */
export function replaceFileNow(
  path: string,
  data: string | Uint8Array,
  { mode, suffix = SUFFIX }: ReplaceOptions = {},
): Replaced {
  const next = `${path}${suffix}`;
  let renamed = false;
  try {
    const permissions = mode ?? (statSync(path, { throwIfNoEntry: false })?.mode ?? MODE) & PERMISSIONS;
    rmSync(next, { force: true });
    withFile(openSync(next, 'wx', permissions), (file) => {
      fchmodSync(file, permissions);
      writeFileSync(file, data);
      fsyncSync(file);
    });
    renameSync(next, path);
    renamed = true;
    withFile(openSync(dirname(path), 'r'), fsyncSync);
    return { ok: true };
  } catch (error) {
    if (!renamed) removeNow(next);
    return { ok: false, code: errorCode(error), renamed, error };
  }
}

/** Makes the names in a folder durable (fsync). */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function withFile(file: number, use: (file: number) => void): void {
  try {
    use(file);
  } finally {
    closeSync(file);
  }
}

function removeNow(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It was not created, or is not ours.
  }
}
