import { Low } from 'lowdb';

import { DurableFile, type DurableFileOptions, type LoadReport } from './adapter.ts';

/** A durable file with its content in memory, by lowdb. Calls must not overlap. */
export interface PersistedFile<T> {
  /** Reads the file anew; rejects where it is there and cannot be read at all. */
  readonly read: () => Promise<LoadReport>;
  /** What the disk holds. */
  readonly content: () => T;
  /** Replaces it, durably; where the disk refuses both stay as they were. */
  readonly replace: (next: T) => Promise<void>;
  /** Size of the file in bytes, -1 before it was first written. */
  readonly bytes: () => number;
  /** Removes what was set aside as unreadable; the next replacement makes that durable. */
  readonly forgetBroken: () => Promise<void>;
}

/** Keeps the file of these options; `empty` is its content until it is read, and where nothing was ever written. */
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
    bytes: () => file.bytes,
    forgetBroken: () => file.forgetBroken(),
  };
}
