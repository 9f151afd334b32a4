import { spawnSync } from 'node:child_process';
import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCode } from '#drivers/kit/error-code.ts';
import { nativeCalls } from '#drivers/kit/native.ts';
import { ok, refuse } from '#machines/kit/result.ts';
import type { Result } from '#machines/kit/result.ts';
import { LOCK_FILE } from './folder.ts';

/** A held lock; the kernel frees it however the process dies. */
interface FolderLock {
  /** Publishes the port on which this process listens; 0 or less is none. */
  readonly notePort: (port: number) => void;
  readonly release: () => void;
}

type Locking = Result<FolderLock, 'folder-in-use' | 'lock-failed'>;

/** Flags that neither follow a link nor wait for the other end of a pipe. */
const PLAINLY = constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Reasons why no file can be created in an existing folder, which is then locked itself. */
const CANNOT_CREATE: ReadonlySet<string> = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'EDQUOT']);

/** Attempts to get the lock, and the pause between them in milliseconds: `askHolder` holds it for microseconds only. */
const TRIES = 4;
const AGAIN_MS = 50;

/** Longest run of the program `flock`, in milliseconds; it does not wait for the lock. */
const PROGRAM_MS = 2000;

/**
 * For a machine without a build of koffi: util-linux' or BusyBox' `flock`, which locks the open file that it inherits.
 * Its status 1 means that another process has the lock.
 */
function flockByProgram(fd: number, kind: 'exclusive' | 'shared'): string | null {
  const args = ['-n', kind === 'shared' ? '-s' : '-x', '3'];
  const { status } = spawnSync('flock', args, { stdio: ['ignore', 'ignore', 'ignore', fd], timeout: PROGRAM_MS });
  return status === 0 ? null : status === 1 ? 'EAGAIN' : 'ENOSYS';
}

/** Locks an open file without waiting (flock(2)); null on success, else the POSIX name of the error. */
async function flock(fd: number, kind: 'exclusive' | 'shared'): Promise<string | null> {
  const native = await nativeCalls();
  return native === null ? flockByProgram(fd, kind) : native.flock(fd, kind);
}

/** Opens a file. Node opens everything close-on-exec, so no child keeps the lock. */
const open = (path: string, flags: number): number => openSync(path, flags | PLAINLY);

const openFolder = (folder: string): number => openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);

/** Opens an existing file; for reading only on a read-only file system. */
function openExisting(path: string): number {
  try {
    return open(path, constants.O_RDWR);
  } catch (error) {
    if (errorCode(error) !== 'EROFS') throw error;
    return open(path, constants.O_RDONLY);
  }
}

/** Creates the file, 0600; as root, for the folder's owner. Throws `EEXIST` if it was created meanwhile. */
function create(path: string, folder: Stats | null): number {
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | PLAINLY, 0o600);
  if (process.getuid?.() === 0 && folder !== null && folder.uid !== 0) fchownSync(fd, folder.uid, folder.gid);
  return fd;
}

/**
 * Opens the lock file of a folder, or the folder itself if there is none. With `creates` the file is created first, if
 * that is possible.
 */
function openLock(folder: string, creates: boolean): number {
  const path = join(folder, LOCK_FILE);
  try {
    return creates ? openExisting(path) : open(path, constants.O_RDONLY);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  if (!creates) return openFolder(folder);
  try {
    return create(path, statSync(folder));
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return openExisting(path);
    if (CANNOT_CREATE.has(errorCode(error))) return openFolder(folder);
    throw error;
  }
}

/** True if the path still leads to the locked file, which may have been removed between opening and locking. */
function isSameFile(fd: number, path: string): boolean {
  const mine = fstatSync(fd);
  if (mine.isDirectory()) return true;
  const there = lstatSync(path, { throwIfNoEntry: false });
  return mine.isFile() && there?.ino === mine.ino && there.dev === mine.dev;
}

function held(fd: number): FolderLock {
  const isFile = fstatSync(fd).isFile();
  const notePort = (port: number): void => {
    if (!isFile) return;
    try {
      ftruncateSync(fd, 0);
      if (port > 0) writeSync(fd, `${port}\n`, 0);
    } catch {
      // The disk is full or read-only: the doctor learns no port.
    }
  };
  // The port of the previous holder is not this process's.
  notePort(0);
  return { notePort, release: () => closeSync(fd) };
}

const lockFailed = (code: string): Locking =>
  refuse(
    'lock-failed',
    `The data folder cannot be locked (${code}), so two Sconces could spoil each other's settings. If it belongs to another user, or lies on a network file system without locks, choose another one with --data.`,
  );

async function lockOpened(opened: () => number, path: string): Promise<Locking> {
  for (let tries = 1; ; tries += 1) {
    let fd: number;
    try {
      fd = opened();
    } catch (error) {
      return lockFailed(errorCode(error));
    }
    // oxlint-disable-next-line no-await-in-loop -- one try after another
    const failure = await flock(fd, 'exclusive');
    const isOther = failure === null && !isSameFile(fd, path);
    if (failure === null && !isOther) return ok(held(fd));
    closeSync(fd);
    if (failure !== null && failure !== 'EAGAIN') return lockFailed(failure);
    if (tries === TRIES)
      return isOther
        ? lockFailed('not-a-file')
        : refuse(
            'folder-in-use',
            'Another Sconce is running with this data folder. Stop it first, or give this one a folder of its own with --data.',
          );
    // oxlint-disable-next-line no-await-in-loop -- one try after another
    await pause(AGAIN_MS);
  }
}

/**
 * Takes the data folder for this process by flock(2) on its file `lock`: a second agent on the same folder is refused.
 * Other users can neither open that file nor create one in the folder (0700). If no file can be created the folder
 * itself is locked. `creates: false` leaves the folder unchanged.
 */
export const lockFolder = (folder: string, { creates = true } = {}): Promise<Locking> =>
  lockOpened(() => openLock(folder, creates), join(folder, LOCK_FILE));

/** Takes the lock at this path; its file is created with mode 0600 in an existing folder. */
export const lockFile = (path: string): Promise<Locking> =>
  lockOpened(() => {
    try {
      return openExisting(path);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      return create(path, null);
    }
  }, path);

/** Bytes read of the holder's text: a port of five digits, the line break, and one more. */
const LONGEST = 7;

function portIn(fd: number): number | null {
  if (!fstatSync(fd).isFile()) return null;
  const bytes = Buffer.alloc(LONGEST);
  const text = bytes.toString('latin1', 0, readSync(fd, bytes, 0, LONGEST, 0));
  return /^[1-9]\d{0,4}\n$/.test(text) ? Number(text) : null;
}

/**
 * Holder of a data folder: `free` if no process has it, else the port of its agent, which is null if there is none (it
 * starts or stops) or if this user may not read it. The text counts only while the lock is held, so a dead process
 * leaves no trace.
 */
export async function askHolder(folder: string): Promise<'free' | { readonly port: number | null }> {
  let fd: number;
  try {
    fd = openLock(folder, false);
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(errorCode(error)) ? 'free' : { port: null };
  }
  try {
    return (await flock(fd, 'shared')) === null ? 'free' : { port: portIn(fd) };
  } catch {
    return { port: null };
  } finally {
    closeSync(fd);
  }
}
