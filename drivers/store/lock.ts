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

/** A held lock; the kernel frees it when the process dies, however it dies. */
interface FolderLock {
  /** Tells whoever asks from now on the port on which this process listens; 0 or less is none. */
  readonly notePort: (port: number) => void;
  /** Gives the folder free. */
  readonly release: () => void;
}

type Locking = Result<FolderLock, 'folder-in-use' | 'lock-failed'>;

/** Opens a lock without following a link and without waiting for the other end of a pipe. */
const PLAINLY = constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Why a file cannot be made in a folder that is there: the folder itself is locked instead. */
const CANNOT_MAKE: ReadonlySet<string> = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'EDQUOT']);

/**
 * Who only asks holds the lock for microseconds; whoever wants it tries again this often, after so many milliseconds.
 */
const TRIES = 4;
const AGAIN_MS = 50;

/** Longest that the program `flock` may take, in milliseconds; it does not wait. */
const PROGRAM_MS = 2000;

/**
 * The same by util-linux' or BusyBox' `flock`, which locks the open file that it inherits: for a machine without a
 * build of koffi. Its status 1 means that another process has the lock.
 */
function flockByProgram(fd: number, kind: 'exclusive' | 'shared'): string | null {
  const args = ['-n', kind === 'shared' ? '-s' : '-x', '3'];
  const { status } = spawnSync('flock', args, { stdio: ['ignore', 'ignore', 'ignore', fd], timeout: PROGRAM_MS });
  return status === 0 ? null : status === 1 ? 'EAGAIN' : 'ENOSYS';
}

/** Locks an open file without waiting (flock(2)); null when that worked, else the POSIX name of the error. */
async function flock(fd: number, kind: 'exclusive' | 'shared'): Promise<string | null> {
  const native = await nativeCalls();
  return native === null ? flockByProgram(fd, kind) : native.flock(fd, kind);
}

/** Opens, or throws as Node does. Node opens everything close-on-exec: no child keeps the lock. */
const open = (path: string, flags: number): number => openSync(path, flags | PLAINLY);

const openFolder = (folder: string): number => openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);

/** Opens a file that is there; for reading alone where its file system allows no more. */
function openThere(path: string): number {
  try {
    return open(path, constants.O_RDWR);
  } catch (error) {
    if (errorCode(error) !== 'EROFS') throw error;
    return open(path, constants.O_RDONLY);
  }
}

/** Makes the file, 0600 and of the folder's owner where root makes it; throws `EEXIST` where it came meanwhile. */
function make(path: string, folder: Stats | null): number {
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | PLAINLY, 0o600);
  if (process.getuid?.() === 0 && folder !== null && folder.uid !== 0) fchownSync(fd, folder.uid, folder.gid);
  return fd;
}

/** Opens the lock of a folder, without a file the folder itself; with `creates` one is made first where it can be. */
function openLock(folder: string, creates: boolean): number {
  const path = join(folder, LOCK_FILE);
  try {
    return creates ? openThere(path) : open(path, constants.O_RDONLY);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  if (!creates) return openFolder(folder);
  try {
    return make(path, statSync(folder));
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return openThere(path);
    if (CANNOT_MAKE.has(errorCode(error))) return openFolder(folder);
    throw error;
  }
}

/** Whether the name still leads to what was locked: the file may have been removed between opening and locking. */
function isStill(fd: number, path: string): boolean {
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
      // A full or read-only disk: the doctor is told no port then.
    }
  };
  // What the one before wrote is not about this process.
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
    const isOther = failure === null && !isStill(fd, path);
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
 * Takes the data folder for this process by flock(2) on the file `lock` in it: a second agent on the same folder is
 * refused. Other users can neither open that file nor make one in the folder (0700). Where no file can be made the
 * folder itself is locked. `creates: false` leaves the folder as it is.
 */
export const lockFolder = (folder: string, { creates = true } = {}): Promise<Locking> =>
  lockOpened(() => openLock(folder, creates), join(folder, LOCK_FILE));

/** Takes the lock at this path, whose file is made 0600 in a folder that is there. */
export const lockFile = (path: string): Promise<Locking> =>
  lockOpened(() => {
    try {
      return openThere(path);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      return make(path, null);
    }
  }, path);

/** Longest text of a holder that is read, in bytes: a port of five digits and the end of the line, and one more. */
const LONGEST = 7;

function portIn(fd: number): number | null {
  if (!fstatSync(fd).isFile()) return null;
  const bytes = Buffer.alloc(LONGEST);
  const text = bytes.toString('latin1', 0, readSync(fd, bytes, 0, LONGEST, 0));
  return /^[1-9]\d{0,4}\n$/.test(text) ? Number(text) : null;
}

/**
 * Who has a data folder. `free` no process; else the port on which its agent listens, null where it names none (it
 * starts or stops) or this user may not know. The text counts only while the lock is held, so that nothing is left of a
 * process that died.
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
