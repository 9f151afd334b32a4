import { copyFile, link, open, readFile, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Adapter } from 'lowdb';
import { errorCode } from '#drivers/kit/error-code.ts';
import { NotReplaced, replaceFile } from '#drivers/kit/replace-file.ts';
import { DOCUMENT, makeFolder } from './folder.ts';

/** Suffix of the file that is being written. */
const NEXT = '.next';

/** Suffix of the copy from before the last write. */
export const PREVIOUS = '.previous';

/** Steps of a write, in order; tests kill the process at each. */
export const WRITE_STEPS = ['opened', 'written', 'synced', 'linked', 'kept', 'renamed', 'folder-synced'] as const;

export type WriteStep = (typeof WRITE_STEPS)[number];

export interface DurableFileOptions<T> {
  /** The data folder, mode 0700; created if it is missing. */
  readonly folder: string;
  /** Name of the file in the folder; `state.json` by default. */
  readonly name?: string;
  /** Turns the parsed JSON into a document; throws if it is not one. */
  readonly parse: (json: unknown) => T;
  /** Called after each step of a write. */
  readonly onStep?: (step: WriteStep) => void;
  /** Reads a file's text; from the file system by default. A file refused with `EFBIG` is not a document. */
  readonly readText?: (path: string) => Promise<string>;
}

/** Attempts to read a file, and the pause between them in milliseconds: a lack of descriptors passes. */
const READ_ATTEMPTS = 5;
const READ_PAUSE_MS = 200;
/** Errors that no wait changes: there is nothing at this path, or no file, or one that is too large. */
const NOTHING_THERE: ReadonlySet<string> = new Set(['ENOENT']);
const NO_DOCUMENT: ReadonlySet<string> = new Set(['EISDIR', 'ENOTDIR', 'EFBIG']);

/** What was read, and why not the current file. */
export interface LoadReport {
  readonly from: 'current' | 'previous' | 'empty';
  /** Why the current file was not used; null if it was, or if there never was a document. */
  readonly trouble: 'unreadable' | 'missing' | null;
}

/**
 * A durable adapter for lowdb: each write keeps the current file as the previous one. Whenever the process dies, the
 * file or its `.previous` has a whole document, and an acknowledged write is never lost. One writer at a time (see
 * `lock.ts`); calls must not overlap.
 */
export class DurableFile<T> implements Adapter<T> {
  readonly #options: DurableFileOptions<T>;
  readonly #current: string;
  readonly #previous: string;
  readonly #next: string;
  readonly #keep: string;
  readonly #broken: string;
  /** True if the current file parses, so that it may become the previous one. */
  #currentIsGood = false;
  /** What the last `read` found. */
  report: LoadReport = { from: 'empty', trouble: null };
  /** Size of the file in bytes; -1 before the first write. */
  bytes = -1;

  constructor(options: DurableFileOptions<T>) {
    this.#options = options;
    this.#current = join(options.folder, options.name ?? DOCUMENT);
    this.#previous = `${this.#current}${PREVIOUS}`;
    this.#next = `${this.#current}${NEXT}`;
    this.#keep = `${this.#current}.keep`;
    this.#broken = `${this.#current}.broken`;
  }

  /**
   * The document, from the current or else the previous file; null if neither has one. Rejects without changing a file
   * if one cannot be read at all (no descriptors, a disk error, no permission), since that may have the newest
   * document.
   */
  async read(): Promise<T | null> {
    makeFolder(this.#options.folder);
    await removeQuietly(this.#next);
    await removeQuietly(this.#keep);
    const current = await this.#parse(this.#current);
    this.#currentIsGood = typeof current === 'object';
    if (typeof current === 'object') {
      this.report = { from: 'current', trouble: null };
      this.bytes = current.bytes;
      return current.document;
    }
    const previous = await this.#parse(this.#previous);
    // Set aside, so that the next write does not make it the previous copy and a person can still look at it.
    if (current === 'unreadable') await rename(this.#current, this.#broken).catch(() => {});
    if (typeof previous === 'object') {
      this.report = { from: 'previous', trouble: current };
      this.bytes = previous.bytes;
      return previous.document;
    }
    this.report = { from: 'empty', trouble: current === 'missing' && previous === 'missing' ? null : 'unreadable' };
    return null;
  }

  /** Replaces the document; resolves once it would survive a power cut. A failure leaves the files as they were. */
  async write(document: T): Promise<void> {
    const text = `${JSON.stringify(document)}\n`;
    const step = this.#options.onStep ?? (() => {});
    const hadCurrent = this.#currentIsGood;
    const replaced = await replaceFile(this.#current, text, {
      mode: 0o600,
      suffix: NEXT,
      onStep: step,
      ...(hadCurrent ? { beforeRename: () => this.#keepCurrent(step) } : {}),
    });
    if (!replaced.ok) {
      if (replaced.renamed) await this.#undo(hadCurrent);
      else await removeQuietly(this.#keep);
      throw new NotReplaced(replaced);
    }
    this.#currentIsGood = true;
    this.bytes = Buffer.byteLength(text);
  }

  /** Removes the unreadable file that was set aside; the next write makes that durable. */
  async forgetBroken(): Promise<void> {
    await removeQuietly(this.#broken);
  }

  /**
   * Links the current file to a second name and renames that to the previous one, so that neither name is ever missing.
   */
  async #keepCurrent(step: (step: WriteStep) => void): Promise<void> {
    await removeQuietly(this.#keep);
    try {
      await link(this.#current, this.#keep);
    } catch (error) {
      // File systems without hard links (FAT, some network ones) get a copy instead.
      if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS'].includes(errorCode(error))) throw error;
      await copyFile(this.#current, this.#keep);
      await syncPath(this.#keep, 'r+');
    }
    step('linked');
    await rename(this.#keep, this.#previous);
    step('kept');
  }

  /** Restores the acknowledged document, after the folder could not be made durable. */
  async #undo(hadCurrent: boolean): Promise<void> {
    try {
      if (!hadCurrent) {
        await unlink(this.#current);
        return;
      }
      await link(this.#previous, this.#keep);
      await rename(this.#keep, this.#current);
    } catch {
      // The disk refuses even this; the caller gets the first failure.
    }
  }

  /** Content of a file; `unreadable` only if it was read and is not a document. */
  async #parse(path: string): Promise<{ readonly document: T; readonly bytes: number } | 'missing' | 'unreadable'> {
    const text = await this.#text(path);
    if (typeof text !== 'object') return text;
    try {
      return { document: this.#options.parse(JSON.parse(text.read)), bytes: Buffer.byteLength(text.read) };
    } catch {
      return 'unreadable';
    }
  }

  async #text(path: string): Promise<{ readonly read: string } | 'missing' | 'unreadable'> {
    const readText = this.#options.readText ?? ((file) => readFile(file, 'utf8'));
    for (let attempt = 1; ; attempt += 1) {
      try {
        return { read: await readText(path) };
      } catch (error) {
        const code = errorCode(error);
        if (NOTHING_THERE.has(code)) return 'missing';
        if (NO_DOCUMENT.has(code)) return 'unreadable';
        if (attempt === READ_ATTEMPTS) throw error;
        await pause(READ_PAUSE_MS);
      }
    }
  }
}

async function removeQuietly(path: string): Promise<void> {
  // It may be absent; anything that blocks a write shows in the write.
  await unlink(path).catch(() => {});
}

/** Calls fsync on a path. */
async function syncPath(path: string, flags: 'r' | 'r+'): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
