import { readFile, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Adapter } from 'lowdb';
import { errorCode } from '#drivers/kit/error-code.ts';
import { NotReplaced, replaceFile, syncFolder } from '#drivers/kit/replace-file.ts';
import type { NewerDocument } from '#machines/store/events.ts';
import { DOCUMENT, makeFolder } from './folder.ts';
import { formatFile, formatOf, type Formats, inPresentFormat, keptFormats, NewerFormat, oneFormat } from './formats.ts';
import { linkFile, removeQuietly } from './link-file.ts';

/** Suffix of the file that is being written. */
const NEXT = '.next';

/** Suffix of the copy from before the last write. */
export const PREVIOUS = '.previous';

/** Steps of a write, in order; tests kill the process at each. */
export const WRITE_STEPS = ['opened', 'written', 'synced', 'linked', 'kept', 'renamed', 'folder-synced'] as const;

/** Steps of the first write over a document of another format, after `synced`. */
export const FORMAT_STEPS = ['format-linked', 'format-kept', 'format-synced'] as const;

export type WriteStep = (typeof WRITE_STEPS)[number] | (typeof FORMAT_STEPS)[number];

export interface DurableFileOptions<T> {
  /** The data folder, mode 0700; created if it is missing. */
  readonly folder: string;
  /** Name of the file in the folder; `state.json` by default. */
  readonly name?: string;
  /** Its formats; by default it has had only one. */
  readonly formats?: Formats;
  /** Turns the parsed JSON, in the present format, into a document; throws if it is not one. */
  readonly parse: (json: unknown) => T;
  /** What every format has in common, as a document; by default nothing. */
  readonly frozenPart?: (json: unknown) => T | null;
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
  /** `copy`: kept from before a newer version wrote the document. */
  readonly from: 'current' | 'previous' | 'copy' | 'empty';
  /** Why the current file was not used; null if it was, or if there never was a document, or if it is a newer one. */
  readonly trouble: 'unreadable' | 'missing' | null;
  /** The document of a newer version; null if there is none. Without a copy, nothing is written over it. */
  readonly newer: NewerDocument | null;
}

/** A file with a document of some format. */
interface OfFormat {
  readonly path: string;
  readonly format: number;
}

type Parsed<T> =
  | { readonly is: 'missing' | 'unreadable' }
  | (OfFormat & { readonly is: 'newer'; readonly json: unknown })
  | (OfFormat & { readonly is: 'read'; readonly document: T; readonly bytes: number });

/**
 * A durable adapter for lowdb: each write keeps the current file as the previous one. Whenever the process dies, the
 * file or its `.previous` has a whole document, and an acknowledged write is never lost. The first write over a
 * document of another format also keeps that one, under a name of its own. One writer at a time (see `lock.ts`); calls
 * must not overlap.
 */
export class DurableFile<T> implements Adapter<T> {
  readonly #options: DurableFileOptions<T>;
  readonly #formats: Formats;
  readonly #current: string;
  readonly #previous: string;
  readonly #keep: string;
  readonly #broken: string;
  /** The file that the next write makes the previous one; null if there is none that is whole. */
  #before: string | null = null;
  /** The document of another format that the next write replaces, and keeps. */
  #other: OfFormat | null = null;
  /** What the last `read` found. */
  report: LoadReport = { from: 'empty', trouble: null, newer: null };
  /** Size of the file in bytes; -1 before the first write. */
  bytes = -1;

  constructor(options: DurableFileOptions<T>) {
    this.#options = options;
    this.#formats = options.formats ?? oneFormat;
    this.#current = join(options.folder, options.name ?? DOCUMENT);
    this.#previous = `${this.#current}${PREVIOUS}`;
    this.#keep = `${this.#current}.keep`;
    this.#broken = `${this.#current}.broken`;
  }

  /** True while only a newer version can read the document, and the owner has not decided to begin without it. */
  get isClosed(): boolean {
    return this.report.newer?.copyFrom === null;
  }

  /**
   * The document, from the current or else the previous file; null if neither has one. Of a newer document, the copy
   * from before it, or else what every format has in common. Rejects without changing a file if one cannot be read at
   * all (no descriptors, a disk error, no permission), since that may have the newest document.
   */
  async read(): Promise<T | null> {
    makeFolder(this.#options.folder);
    await removeQuietly(`${this.#current}${NEXT}`);
    await removeQuietly(this.#keep);
    const current = await this.#parse(this.#current);
    if (current.is === 'read') return this.#take(current, { from: 'current', trouble: null, newer: null });
    const previous = await this.#parse(this.#previous);
    // Set aside, so that the next write does not make it the previous copy and a person can still look at it.
    if (current.is === 'unreadable') await rename(this.#current, this.#broken).catch(() => {});
    if (current.is === 'newer') return this.#beside(current, previous);
    if (previous.is === 'newer') return this.#beside(previous, previous);
    if (previous.is === 'read') return this.#take(previous, { from: 'previous', trouble: current.is, newer: null });
    const isNew = current.is === 'missing' && previous.is === 'missing';
    this.#forget({ from: 'empty', trouble: isNew ? null : 'unreadable', newer: null });
    return null;
  }

  /** Replaces the document; resolves once it would survive a power cut. A failure leaves the files as they were. */
  async write(document: T): Promise<void> {
    if (this.isClosed) throw new NewerFormat();
    await this.#replace(document);
  }

  /** The owner's decision to begin without the newer document: it is kept, and this one takes its place. */
  async startOver(document: T): Promise<void> {
    await this.#replace(document);
    this.report = { ...this.report, newer: null };
  }

  /** Removes the unreadable file that was set aside; the next write makes that durable. */
  async forgetBroken(): Promise<void> {
    await removeQuietly(this.#broken);
  }

  async #replace(document: T): Promise<void> {
    const text = `${JSON.stringify(document)}\n`;
    const step = this.#options.onStep ?? (() => {});
    const replaced = await replaceFile(this.#current, text, {
      mode: 0o600,
      suffix: NEXT,
      onStep: step,
      beforeRename: () => this.#keepBoth(step),
    });
    if (!replaced.ok) {
      if (replaced.renamed) await this.#undo();
      else await removeQuietly(this.#keep);
      throw new NotReplaced(replaced);
    }
    this.#before = this.#current;
    this.#other = null;
    this.bytes = Buffer.byteLength(text);
  }

  /** Keeps what the write replaces: a document of another format, and the one from before. */
  async #keepBoth(step: (step: WriteStep) => void): Promise<void> {
    const keep = this.#keep;
    if (this.#other !== null) {
      const { path, format } = this.#other;
      await linkFile(path, formatFile(this.#current, format), { keep, onLinked: () => step('format-linked') });
      step('format-kept');
      // Durable before the document itself can change.
      await syncFolder(this.#options.folder);
      step('format-synced');
    }
    if (this.#before === null) return;
    await linkFile(this.#before, this.#previous, { keep, onLinked: () => step('linked') });
    step('kept');
  }

  /** Restores the acknowledged document, after the folder could not be made durable. */
  async #undo(): Promise<void> {
    const isOther = this.#other?.path === this.#current;
    const kept = isOther && this.#other !== null ? formatFile(this.#current, this.#other.format) : this.#previous;
    try {
      if (isOther || this.#before === this.#current) await linkFile(kept, this.#current, { keep: this.#keep });
      else await unlink(this.#current);
    } catch {
      // The disk refuses even this; the caller gets the first failure.
    }
  }

  #forget(report: LoadReport): void {
    this.report = report;
    this.#before = null;
    this.#other = null;
    this.bytes = -1;
  }

  #take({ path, format, document, bytes }: Extract<Parsed<T>, { is: 'read' }>, report: LoadReport): T {
    this.#forget(report);
    this.bytes = bytes;
    // The previous file stays in place until a write has succeeded.
    this.#before = path === this.#previous ? null : path;
    this.#other = format === this.#formats.current ? null : { path, format };
    return document;
  }

  /** The document to use beside that of a newer version, which stays where it is. */
  async #beside(newer: Extract<Parsed<T>, { is: 'newer' }>, previous: Parsed<T>): Promise<T | null> {
    const found = (await this.#ownCopy()) ?? (previous.is === 'read' ? previous : null);
    if (found === null) {
      this.#forget({ from: 'empty', trouble: null, newer: { version: newer.format, copyFrom: null } });
      this.#other = newer;
      return this.#options.frozenPart?.(newer.json) ?? null;
    }
    const copyFrom = Math.round((await stat(found.path)).mtimeMs);
    const document = this.#take(found, { from: 'copy', trouble: null, newer: { version: newer.format, copyFrom } });
    this.#other = newer;
    return document;
  }

  /** The newest kept document that this version reads. */
  async #ownCopy(): Promise<Extract<Parsed<T>, { is: 'read' }> | null> {
    for (const format of await keptFormats(this.#current)) {
      if (format > this.#formats.current) continue;
      // oxlint-disable-next-line no-await-in-loop -- the first that can be read
      const found = await this.#parse(formatFile(this.#current, format));
      if (found.is === 'read') return found;
    }
    return null;
  }

  /** Content of a file; `unreadable` only if it was read and is not a document. */
  async #parse(path: string): Promise<Parsed<T>> {
    const text = await this.#text(path);
    if (typeof text !== 'object') return { is: text };
    try {
      const json: unknown = JSON.parse(text.read);
      const format = formatOf(json) ?? this.#formats.current;
      if (format > this.#formats.current) return { is: 'newer', path, format, json };
      const document = this.#options.parse(inPresentFormat(json, this.#formats));
      return { is: 'read', path, format, document, bytes: Buffer.byteLength(text.read) };
    } catch {
      return { is: 'unreadable' };
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
