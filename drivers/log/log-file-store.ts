import { closeSync, constants, fdatasyncSync, fstatSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { type FileHandle, open, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';

import { errorCode } from '#drivers/kit/error-code.ts';
import { replaceFile } from '#drivers/kit/replace-file.ts';
import { LOG_FILE, makeFolder } from '#drivers/store/folder.ts';
import type { LogFileRules, LogFileSize } from '#machines/log-files/events.ts';

/** Only the agent's user may read and write the files. */
const MODE = 0o600;
/** Follows no link, and does not wait for a pipe. */
const CAREFULLY = constants.O_NOFOLLOW | constants.O_NONBLOCK;
const TO_APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | CAREFULLY;

/** Something else than a file is at the path. */
class NoFile extends Error {
  override readonly name = 'NoFile';
  readonly code = 'EINVAL';
}

/** The last whole lines of a file; `isTooLarge` if it has more than allowed. */
interface FileEnd {
  readonly text: string;
  readonly isTooLarge: boolean;
}

const NOTHING: FileEnd = { text: '', isTooLarge: false };

const linesIn = (text: string): number => text.split('\n').length - 1;

/** The last bytes of a file, from the first line that begins in them. */
async function readEnd(path: string, mostBytes: number): Promise<FileEnd> {
  const file = await open(path, constants.O_RDONLY | CAREFULLY);
  try {
    const facts = await file.stat();
    if (!facts.isFile()) throw new NoFile();
    const from = Math.max(0, facts.size - mostBytes);
    const bytes = Buffer.alloc(facts.size - from);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      // oxlint-disable-next-line no-await-in-loop -- one piece after another
      read = (await file.read(bytes, length, bytes.length - length, from + length)).bytesRead;
    const text = bytes.toString('utf8', 0, length);
    return from === 0 ? { text, isTooLarge: false } : { text: text.slice(text.indexOf('\n') + 1), isTooLarge: true };
  } finally {
    await file.close();
  }
}

/** The two files of the log in the data folder; a full current file becomes the older one. */
export class LogFileStore {
  readonly #folder: string;
  readonly #current: string;
  readonly #older: string;
  readonly #rules: Pick<LogFileRules, 'fileBytes' | 'rotates'>;
  /** Lines of the current file that were read or written. */
  #lines = 0;
  /** True if the current file is known to end with a line break. */
  #isWhole = false;

  constructor(folder: string, rules: Pick<LogFileRules, 'fileBytes' | 'rotates'>) {
    this.#folder = folder;
    this.#current = join(folder, LOG_FILE);
    this.#older = `${this.#current}.previous`;
    this.#rules = rules;
  }

  /**
   * Content of the files, the older one first. A file above its bound was not written by this agent and is cut. An
   * unreadable one counts as empty.
   */
  async read(): Promise<readonly string[]> {
    makeFolder(this.#folder);
    const older = await this.#readOne(this.#older);
    const current = await this.#readOne(this.#current);
    this.#lines = linesIn(current);
    return [older, current];
  }

  async #readOne(path: string): Promise<string> {
    const end = await readEnd(path, this.#rules.fileBytes).catch(() => NOTHING);
    if (end.isTooLarge) {
      const cut = await replaceFile(path, end.text, { mode: MODE });
      // Its lines are in memory, and the disk may need the space.
      if (!cut.ok) await unlink(path).catch(() => {});
    }
    return end.text;
  }

  /** Appends whole lines, with fdatasync if `urgent`; null on success, else the error code. */
  async append(text: string, lines: number, urgent: boolean): Promise<string | null> {
    try {
      const file = await this.#opened({ bytes: Buffer.byteLength(text) + 1, lines });
      try {
        await file.appendFile(this.#isWhole ? text : `\n${text}`);
        if (urgent) await file.datasync();
      } finally {
        await file.close();
      }
      this.#lines += lines;
      this.#isWhole = true;
      return null;
    } catch (error) {
      // Half a line may have been written.
      this.#isWhole = false;
      return errorCode(error);
    }
  }

  /** The current file, or a new one if the batch does not fit. */
  async #opened(batch: LogFileSize): Promise<FileHandle> {
    const file = await open(this.#current, TO_APPEND, MODE);
    try {
      const facts = await file.stat();
      if (!facts.isFile()) throw new NoFile();
      if (!this.#rules.rotates({ bytes: facts.size, lines: this.#lines }, batch)) {
        if ((facts.mode & 0o777) !== MODE) await file.chmod(MODE);
        return file;
      }
    } catch (error) {
      await file.close();
      throw error;
    }
    await file.close();
    await rename(this.#current, this.#older);
    this.#lines = 0;
    return open(this.#current, TO_APPEND, MODE);
  }

  /** As `append`, but synchronous, for the end of the process; throws on failure. */
  appendNow(text: string, lines: number, urgent: boolean): void {
    const file = this.#openedNow({ bytes: Buffer.byteLength(text) + 1, lines });
    try {
      writeFileSync(file, this.#isWhole ? text : `\n${text}`);
      if (urgent) fdatasyncSync(file);
    } finally {
      closeSync(file);
    }
  }

  #openedNow(batch: LogFileSize): number {
    const file = openSync(this.#current, TO_APPEND, MODE);
    const facts = fstatSync(file);
    if (facts.isFile() && !this.#rules.rotates({ bytes: facts.size, lines: this.#lines }, batch)) return file;
    closeSync(file);
    if (!facts.isFile()) throw new NoFile();
    renameSync(this.#current, this.#older);
    this.#lines = 0;
    return openSync(this.#current, TO_APPEND, MODE);
  }
}
