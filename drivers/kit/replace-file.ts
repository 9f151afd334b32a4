import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

import { errorCode } from './error-code.ts';

// One of our own: write-file-atomic does not fsync the folder, so that after a power cut the rename may be undone.

/** What became of the replacement of a file. */
export type Replaced =
  | { readonly ok: true }
  /**
   * `code` is that of the error, `ENOSPC`; `renamed` says that the new file stands, but may not survive a power cut.
   */
  | { readonly ok: false; readonly code: string; readonly renamed: boolean; readonly error: unknown };

/** A replacement that failed, for those who must throw: `code` is that of the failed call, which is the `cause`. */
export class NotReplaced extends Error {
  override readonly name = 'NotReplaced';
  readonly code: string;
  constructor({ code, error }: Extract<Replaced, { ok: false }>) {
    super('the file was not replaced', { cause: error });
    this.code = code;
  }
}

/** The moments of a replacement, in order. */
export type ReplaceStep = 'opened' | 'written' | 'synced' | 'renamed' | 'folder-synced';

/** How a file is replaced. */
export interface ReplaceOptions {
  /** Permission bits, whatever the umask; those of the file that is replaced when absent, 0600 where there is none. */
  readonly mode?: number;
  /** What follows the file's name in that of the temporary file, which a failure removes. */
  readonly suffix?: string;
}

/** What else a replacement that does not block may be given. */
export interface ReplaceHooks {
  /** Runs when the new file is on the disk and the old one still stands; its rejection is the replacement's failure. */
  readonly beforeRename?: () => Promise<void>;
  /** Hears of each step after it was done. */
  readonly onStep?: (step: ReplaceStep) => void;
}

const SUFFIX = '.next';
const MODE = 0o600;
/** The permission bits of a mode. */
const PERMISSIONS = 0o777;

/**
 * Replaces a file in a folder that is there: at every moment its name leads to the whole old file or the whole new one,
 * also after a power cut, and once this resolves with `ok` to the new one. Two replacements of one file must not
 * overlap.
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
    // A new file and no other: in a folder of others a link may lie under this name.
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
    // Frees what a full disk needs for the next attempt.
    if (!renamed) await rm(next, { force: true }).catch(() => {});
    return { ok: false, code: errorCode(error), renamed, error };
  }
}

/** As `replaceFile`, in one go: for a start and for the installer, beside which nothing runs. */
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

/** Makes the names in a folder durable. */
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
    // It failed to be made, or is something that is not ours.
  }
}
