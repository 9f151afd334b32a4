import { Low } from 'lowdb';

import { DurableFile, type DurableFileOptions, type LoadReport } from './adapter.ts';

/** A durable file with its content in memory (lowdb). Calls must not overlap. */
export interface PersistedFile<T> {
  /** Reads the file again; rejects if it exists and cannot be read at all. */
  readonly read: () => Promise<LoadReport>;
  /** Content of the file on the disk. */
  readonly content: () => T;
  /** Replaces the content, durably; if the disk refuses, both file and memory stay as they were. */
  readonly replace: (next: T) => Promise<void>;
  /** As `replace`, over a document of a newer version, which is kept: the owner's decision. */
  readonly startOver: (next: T) => Promise<void>;
  /** True while a newer version's document is there, of which there is no copy from before: no replacement is made. */
  readonly isClosed: () => boolean;
  /** Size of the file in bytes; -1 before the first write. */
  readonly bytes: () => number;
  /** Removes the unreadable file that was set aside; the next replacement makes that durable. */
  readonly forgetBroken: () => Promise<void>;
}

/** `empty` is the content before a read, and of a file that was never written. */
export function persistedFile<T>(options: DurableFileOptions<T>, empty: T): PersistedFile<T> {
  const file = new DurableFile(options);
  const low = new Low<T>(file, empty);
  return {
    read: async () => {
      low.data = empty;
      await low.read();
      return file.report;
    },
    content: () => low.data,
    replace: async (next) => {
      const before = low.data;
      low.data = next;
      try {
        await low.write();
      } catch (error) {
        low.data = before;
        throw error;
      }
    },
    startOver: async (next) => {
      await file.startOver(next);
      low.data = next;
    },
    isClosed: () => file.isClosed,
    bytes: () => file.bytes,
    forgetBroken: () => file.forgetBroken(),
  };
}
