import { copyFile, link, open, readFile, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Adapter } from 'lowdb';
import { errorCode } from '#drivers/kit/error-code.ts';
import { NotReplaced, replaceFile } from '#drivers/kit/replace-file.ts';
import { DOCUMENT, makeFolder } from './folder.ts';

/** What follows the document's name in that of the file that is being written. */
const NEXT = '.next';

/** What follows a file's name in that of its copy from before the last write. */
export const PREVIOUS = '.previous';

/** The moments of one write, in order; tests kill the process at each. */
export const WRITE_STEPS = ['opened', 'written', 'synced', 'linked', 'kept', 'renamed', 'folder-synced'] as const;

/** One moment of a write. */
export type WriteStep = (typeof WRITE_STEPS)[number];

/** What a durable file is made with. */
export interface DurableFileOptions<T> {
  /** The data folder, mode 0700; made when it is not there. */
  readonly folder: string;
  /** Its name in the folder; that of the settings' document when absent. */
  readonly name?: string;
  /** Turns the parsed JSON into a document, or throws when it is not one. */
  readonly parse: (json: unknown) => T;
  /** Hears of each step of a write after it was done. */
  readonly onStep?: (step: WriteStep) => void;
  /** Reads a file's text; the file system itself when absent. One that it refuses with `EFBIG` is no document. */
  readonly readText?: (path: string) => Promise<string>;
}

/**
 * Attempts at reading a file that is there, and the pause between two of them in milliseconds: a lack of descriptors
 * passes.
 */
const READ_ATTEMPTS = 5;
const READ_PAUSE_MS = 200;
/** Errors that no wait changes: nothing is there under this name, or something that is no file, or too large a one. */
const NOTHING_THERE: ReadonlySet<string> = new Set(['ENOENT']);
const NO_DOCUMENT: ReadonlySet<string> = new Set(['EISDIR', 'ENOTDIR', 'EFBIG']);

/** What was read at the start, and whether the current file served. */
export interface LoadReport {
  readonly from: 'current' | 'previous' | 'empty';
  /** Why the current file did not serve; null when it did, or when there never was a document. */
  readonly trouble: 'unreadable' | 'missing' | null;
}

/**
 * lowdb's adapter with durability: a replacement that keeps the current file as the previous one. Whenever the process
 * dies, the document's file or its `.previous` holds a whole document, and a document whose write was acknowledged is
 * never lost. One writer at a time (see `lock.ts`); calls must not overlap.
 */
export class DurableFile<T> implements Adapter<T> {
  readonly #options: DurableFileOptions<T>;
  readonly #current: string;
  readonly #previous: string;
  readonly #next: string;
  readonly #keep: string;
  readonly #broken: string;
  /** Whether the document's file holds a document that parses, so that it may become the previous one. */
  #currentIsGood = false;
  /** What the last `read` found. */
  report: LoadReport = { from: 'empty', trouble: null };
  /** Size of the document's file in bytes, -1 before it was first written. */
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
   * The document, from the current or else the previous file; null when neither serves. Rejects, with every file as it
   * was, when a file cannot be read at all (no descriptors, a disk error, no permission): it may hold the newest
   * document.
   */
  async read(): Promise<T | null> {
    makeFolder(this.#options.folder);
    await removed(this.#next);
    await removed(this.#keep);
    const current = await this.#parse(this.#current);
    this.#currentIsGood = typeof current === 'object';
    if (typeof current === 'object') {
      this.report = { from: 'current', trouble: null };
      this.bytes = current.bytes;
      return current.document;
    }
    const previous = await this.#parse(this.#previous);
    // Set aside, so that the next write cannot make it the previous copy, and a person can still look at it.
    if (current === 'unreadable') await rename(this.#current, this.#broken).catch(() => {});
    if (typeof previous === 'object') {
      this.report = { from: 'previous', trouble: current };
      this.bytes = previous.bytes;
      return previous.document;
    }
    this.report = { from: 'empty', trouble: current === 'missing' && previous === 'missing' ? null : 'unreadable' };
    return null;
  }

  /** Replaces the document; resolves when it would survive a power cut. On a failure the files are as they were. */
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
      else await removed(this.#keep);
      throw new NotReplaced(replaced);
    }
    this.#currentIsGood = true;
    this.bytes = Buffer.byteLength(text);
  }

  /** Removes the file that was set aside as unreadable; the next write makes that durable. */
  async forgetBroken(): Promise<void> {
    await removed(this.#broken);
  }

  /**
   * Gives the current file a second name that a rename then makes the previous one: at no moment is either name
   * missing.
   */
  async #keepCurrent(step: (step: WriteStep) => void): Promise<void> {
    await removed(this.#keep);
    try {
      await link(this.#current, this.#keep);
    } catch (error) {
      // File systems without hard links (FAT, some network ones) get a copy instead.
      if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS'].includes(errorCode(error))) throw error;
      await copyFile(this.#current, this.#keep);
      await synced(this.#keep, 'r+');
    }
    step('linked');
    await rename(this.#keep, this.#previous);
    step('kept');
  }

  /** The folder could not be made durable after the rename: what a reader finds must again be what was acknowledged. */
  async #undo(hadCurrent: boolean): Promise<void> {
    try {
      if (!hadCurrent) {
        await unlink(this.#current);
        return;
      }
      await link(this.#previous, this.#keep);
      await rename(this.#keep, this.#current);
    } catch {
      // The disk refuses even this; the caller gets the failure that came first.
    }
  }

  /** What a file holds; `unreadable` is only what was read and is no document. */
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

async function removed(path: string): Promise<void> {
  // Absent is what is wanted; what stands in the way of a write shows itself there.
  await unlink(path).catch(() => {});
}

/** fsync of a file or a folder by its path. */
async function synced(path: string, flags: 'r' | 'r+'): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
